package dev.halfcell.zoo.job;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The keys of a record that may be given without it: where a text, number or list stands for an
 * object, it is the first of these keys whose type it fits.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface ShortForm {
  /** The names of the keys. */
  String[] value();
}
