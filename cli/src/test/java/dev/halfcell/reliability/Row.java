package dev.halfcell.reliability;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The row of the table of bad inputs that a test stands for. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@interface Row {
  /** Its name, such as {@code J1}. */
  String value();
}
