package dev.halfcell.rest.http;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Documents made from the rules of RFC 8259: for each rule, texts that follow it, break it, or do
 * what it leaves to each reader, in all the places where a value may stand.
 */
final class JsonDocuments {
  /** No specification, but JSON. */
  static final Set<Integer> WELL_FORMED = Set.of(422);

  /** No JSON. */
  static final Set<Integer> MALFORMED = Set.of(400);

  /** What a reader may take or not. */
  static final Set<Integer> OPEN = Set.of(400, 422);

  /** Where a value stands: {@code @} is its place. */
  private static final List<String> PLACES =
      List.of("@", "[@]", "{\"a\":@}", "[1,@,2]", " \t\r\n@ \t\r\n", "[[[{\"a\":[@]}]]]");

  /**
   * A document.
   *
   * @param rule of the grammar
   * @param expected the statuses that are right for it
   */
  record Document(String rule, byte[] bytes, Set<Integer> expected) {
    @Override
    public String toString() {
      StringBuilder shown = new StringBuilder(rule + " ");
      for (int i = 0; i < Math.min(60, bytes.length); i++) {
        int c = bytes[i] & 0xff;
        shown.append(c > ' ' && c < 0x7f ? Character.toString(c) : "<%02x>".formatted(c));
      }
      return shown.toString();
    }
  }

  private JsonDocuments() {}

  static List<Document> all() {
    List<Document> all = new ArrayList<>();
    right().forEach((rule, values) -> addEverywhere(all, rule, values, WELL_FORMED));
    wrong().forEach((rule, values) -> addEverywhere(all, rule, values, MALFORMED));
    open().forEach((rule, values) -> addEverywhere(all, rule, values, OPEN));
    alone().forEach((rule, texts) -> add(all, rule, texts, MALFORMED));
    encodings().forEach((rule, bytes) -> all.add(new Document(rule, bytes, MALFORMED)));
    return all;
  }

  private static void addEverywhere(
      List<Document> to, String rule, String[] values, Set<Integer> expected) {
    for (String place : PLACES) {
      add(
          to,
          rule,
          Stream.of(values).map(value -> place.replace("@", value)).toArray(String[]::new),
          expected);
    }
  }

  private static void add(List<Document> to, String rule, String[] texts, Set<Integer> expected) {
    Arrays.stream(texts)
        .forEach(
            text -> to.add(new Document(rule, text.getBytes(StandardCharsets.UTF_8), expected)));
  }

  private static String[] of(String... texts) {
    return texts;
  }

  private static Map<String, String[]> right() {
    Map<String, String[]> rules = new LinkedHashMap<>();
    rules.put("literal", of("true", "false", "null"));
    rules.put("int", of("0", "-0", "7", "-10", "9007199254740993"));
    rules.put("frac", of("0.5", "-0.0", "1.000000000000000000001"));
    rules.put("exp", of("1e0", "0E+9", "2.5e-3", "1e308", "4.9e-324"));
    rules.put(
        "escape", of("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\u0041\\u00e9\\uFFFF\"", "\"\\u0000\""));
    rules.put("surrogates", of("\"\\ud83d\\ude80\"", "\"\ud83d\ude80\""));
    rules.put(
        "unescaped", of("\"\"", "\" \u007f\u0085\u2028\ufeff\"", "\"\u00e9\u6df7\ufdd0\uffff\""));
    rules.put("array", of("[]", "[ ]", "[1,\"a\",null]", "[[],[[]]]"));
    rules.put(
        "object", of("{}", "{ }", "{\"\":0}", "{\"a\":1,\"b\":{}}", "{\"\\u0061\":1,\"A\":2}"));
    return rules;
  }

  private static Map<String, String[]> wrong() {
    Map<String, String[]> rules = new LinkedHashMap<>();
    rules.put("literal", of("tru", "True", "nul", "nulll", "undefined", "NaN", "-Infinity", "yes"));
    rules.put("minus", of("-", "--1", "+1", "- 1", "-a"));
    rules.put("int", of("01", "-00", "1 2", "0x1F", "0o7", "1_0", "1L", "\uff11", "\u0661"));
    rules.put("frac", of(".5", "1.", "-.5", "1.e1", "1..2", "1,5.", "0.1.2"));
    rules.put("exp", of("1e", "1e+", "1ee1", "e1", "1e1.5", "1e 1", "1E-x"));
    rules.put("quotation", of("\"", "\"a", "a\"", "'a'", "\u201ca\u201d", "`a`", "\"a\"b\""));
    rules.put(
        "escape",
        of("\"\\\"", "\"\\x41\"", "\"\\u12\"", "\"\\uGGGG\"", "\"\\U0041\"", "\"\\ \"", "\"\\'\""));
    rules.put("unescaped", of("\"\u0000\"", "\"\n\"", "\"\t\"", "\"\u001f\""));
    rules.put("array", of("[", "[1", "[,1]", "[1,]", "[1,,2]", "[1 2]", "[1;2]", "[1}", "[:1]"));
    rules.put(
        "object",
        of(
            "{",
            "{\"a\"",
            "{\"a\":",
            "{\"a\"}",
            "{\"a\":1,}",
            "{,\"a\":1}",
            "{a:1}",
            "{1:1}",
            "{\"a\":1 \"b\":2}",
            "{\"a\"::1}",
            "{\"a\"=1}",
            "{\"a\":1]",
            "{null:1}",
            "{\"a\":1,\"a\":1}"));
    rules.put("comment", of("/* c */ 1", "1 // c\n", "# c\n1", "<!-- -->1"));
    rules.put("ws", of("\u000b1", "\u000c1", "\u00a01", "\u20281", "\u20601", "\u0000", "1\u0000"));
    return rules;
  }

  /** What RFC 8259 lets each reader decide: sizes, halves of characters. */
  private static Map<String, String[]> open() {
    Map<String, String[]> rules = new LinkedHashMap<>();
    rules.put(
        "range", of("1e309", "-1e999", "1e-999", "1" + "0".repeat(100), "0." + "1".repeat(100)));
    rules.put("surrogates", of("\"\\ud800\"", "\"\\udc00\\ud800\"", "\"\\ud800a\""));
    rules.put("depth", of("[".repeat(500) + "]".repeat(500)));
    rules.put("length", of("\"" + "a".repeat(70_000) + "\"", "{\"" + "k".repeat(300) + "\":1}"));
    return rules;
  }

  /** What is wrong only where it is all there is. */
  private static Map<String, String[]> alone() {
    Map<String, String[]> rules = new LinkedHashMap<>();
    rules.put(
        "JSON-text", of("", " ", "\t\r\n", "1 1", "{}{}", "[][]", "{} x", "]", "}", ",", ":"));
    rules.put("depth", of("[".repeat(100_000), "{\"a\":".repeat(40_000), "[{\"\":".repeat(50_000)));
    rules.put(
        "other", of("<a/>", "a: 1", "a=1&b=2", "---\na: 1", "(1)", "{\"a\":1};", "\\", "%7B%7D"));
    return rules;
  }

  private static Map<String, byte[]> encodings() {
    Map<String, byte[]> all = new LinkedHashMap<>();
    all.put("byte order mark", joined(new int[] {0xef, 0xbb, 0xbf, '{', '}'}));
    all.put("half a byte order mark", joined(new int[] {0xef, 0xbb, '{', '}'}));
    all.put("UTF-16 with mark", "{}".getBytes(StandardCharsets.UTF_16));
    all.put("UTF-16 little-endian", "{}".getBytes(StandardCharsets.UTF_16LE));
    all.put("UTF-16 big-endian", "{}".getBytes(StandardCharsets.UTF_16BE));
    all.put("Latin-1", "\"\u00e9\"".getBytes(StandardCharsets.ISO_8859_1));
    all.put("a byte alone", joined(new int[] {'"', 0x80, '"'}));
    all.put("a character cut off", joined(new int[] {'"', 0xe6, 0xb7, '"'}));
    all.put("overlong", joined(new int[] {'"', 0xc0, 0xaf, '"'}));
    all.put("overlong in six", joined(new int[] {'"', 0xfc, 0x83, 0xbf, 0xbf, 0xbf, 0xbf, '"'}));
    all.put("half a pair", joined(new int[] {'"', 0xed, 0xa0, 0x80, '"'}));
    all.put("behind the last character", joined(new int[] {'"', 0xf4, 0x90, 0x80, 0x80, '"'}));
    all.put("no byte of UTF-8", joined(new int[] {'[', 0xff, ']'}));
    return all;
  }

  private static byte[] joined(int[] bytes) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    Arrays.stream(bytes).forEach(all::write);
    return all.toByteArray();
  }
}
