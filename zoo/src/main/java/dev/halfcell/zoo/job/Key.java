package dev.halfcell.zoo.job;

import dev.halfcell.zoo.host.ByteCount;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** What a key of a specification means and may be: read by the binding and by the JSON schema. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Key {
  /** What it means. */
  String value();

  /** The least number that it may be; of a list or map the fewest entries. */
  double least() default Double.NEGATIVE_INFINITY;

  /** The largest number that it may be; of a text the most characters, of a list the entries. */
  double most() default Double.POSITIVE_INFINITY;

  /** Whether a number has to be above 0 and finite in FP32, which steps compute with. */
  boolean positive() default false;

  /** Whether a number counts bytes, and may be a text with a unit too: {@link ByteCount}. */
  boolean bytes() default false;

  /** The words that it may be; none where any text may stand. */
  String[] words() default {};

  /** What stands, as JSON, for a key that is left out; nothing where another part decides. */
  String otherwise() default "";
}
