package dev.halfcell.zoo.log;

import java.util.Map;

/**
 * One event of a TensorBoard file as the bytes of its protocol buffer message.
 *
 * <p>Source: TensorBoard, compat/proto/event.proto (wall_time 1, step 2, file_version 3, summary 5,
 * session_log 7 with status 1, where 1 is START) and summary.proto (value 1 with tag 1 and
 * simple_value 2).
 */
final class BoardEvent {
  private static final int WALL_TIME = 1;
  private static final int STEP = 2;
  private static final int FILE_VERSION = 3;
  private static final int SUMMARY = 5;
  private static final int SESSION_LOG = 7;
  private static final int VALUE = 1;
  private static final int TAG = 1;
  private static final int SIMPLE_VALUE = 2;
  private static final int STATUS = 1;
  private static final int START = 1;

  private BoardEvent() {}

  /** The event that every file begins with. */
  static byte[] first(double seconds) {
    return new ProtoMessage().fp64(WALL_TIME, seconds).text(FILE_VERSION, "brain.Event:2").bytes();
  }

  /**
   * A session starts whose first step this is.
   *
   * <p>Source: TensorBoard, event_processing/plugin_event_accumulator.py, which takes every START
   * but the first for a restart, and forgets what it has of this step and of later ones.
   */
  static byte[] sessionStart(double seconds, long step) {
    return at(seconds, step).message(SESSION_LOG, new ProtoMessage().whole(STATUS, START)).bytes();
  }

  /** Numbers of one step, by the tags that TensorBoard draws them under. */
  static byte[] scalars(double seconds, long step, Map<String, Double> numbers) {
    ProtoMessage summary = new ProtoMessage();
    numbers.forEach((tag, number) -> summary.message(VALUE, value(tag, number)));
    return at(seconds, step).message(SUMMARY, summary).bytes();
  }

  private static ProtoMessage at(double seconds, long step) {
    return new ProtoMessage().fp64(WALL_TIME, seconds).whole(STEP, step);
  }

  private static ProtoMessage value(String tag, double number) {
    return new ProtoMessage().text(TAG, tag).fp32(SIMPLE_VALUE, (float) number);
  }
}
