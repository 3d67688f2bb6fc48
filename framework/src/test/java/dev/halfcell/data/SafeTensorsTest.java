package dev.halfcell.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SafeTensorsTest {
  private static final String ONE = "{'a':{'dtype':'F32','shape':[2],'data_offsets':[0,8]}}";

  private final TensorScope scope = TensorScope.open();

  @TempDir Path folder;

  @AfterEach
  void close() {
    scope.close();
  }

  private SafeTensors sample() {
    SequencedMap<String, Tensor> tensors = new LinkedHashMap<>();
    for (DType dtype : DType.values()) {
      tensors.put("of/" + dtype, Tensor.of(scope, TensorSpec.of(dtype, 2, 1), 1, 0));
    }
    tensors.put("scalar ü\"", Tensor.scalar(scope, DType.FP32, 0.1));
    return new SafeTensors(tensors, Map.of("z", "last", "a", "first"));
  }

  private Path file(String header, int elementBytes) throws IOException {
    return file(header.replace('\'', '"').getBytes(StandardCharsets.UTF_8), elementBytes);
  }

  private Path file(byte[] header, int elementBytes) throws IOException {
    ByteBuffer bytes =
        ByteBuffer.allocate(8 + header.length + elementBytes).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putLong(header.length).put(header);
    return Files.write(folder.resolve("made.safetensors"), bytes.array());
  }

  private DataException refused(Path file) {
    DataException e = assertThrows(DataException.class, () -> SafeTensors.read(file, scope));
    assertEquals(file.toString(), e.problem().where());
    return e;
  }

  @Test
  void everyDtypeComesBackBitForBitAndInOrder() {
    Path file = folder.resolve("all.safetensors");
    SafeTensors written = sample();
    written.write(file);
    SafeTensors read = SafeTensors.read(file, scope);
    assertEquals(List.copyOf(written.tensors().keySet()), List.copyOf(read.tensors().keySet()));
    written.tensors().forEach((name, tensor) -> assertTrue(tensor.sameBits(read.tensor(name))));
    assertEquals(written.metadata(), read.metadata());
  }

  @Test
  void theSameContentsAreTheSameBytesAndNothingElseIsLeftInTheFolder() throws IOException {
    Path first = folder.resolve("first.safetensors");
    Path second = folder.resolve("second.safetensors");
    Files.writeString(second, "to be replaced");
    sample().write(first);
    sample().write(second);
    byte[] bytes = Files.readAllBytes(first);
    assertArrayEquals(bytes, Files.readAllBytes(second));
    long header = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong();
    assertEquals(0, header % 8);
    String text = new String(bytes, 8, (int) header, StandardCharsets.UTF_8);
    String sums = "( [0-9a-f]{8}){" + DType.values().length + "} [0-9a-f]{8}";
    String start = "\\{\"__metadata__\":\\{\"a\":\"first\",\"crc32c\":\"[0-9a-f]{8}" + sums;
    assertTrue(text.matches(start + "\",\"z\":\"last\"},\"of/FP64\":.*"), text);
    try (Stream<Path> left = Files.list(folder)) {
      assertEquals(2, left.count());
    }
  }

  @Test
  void aFileThatCannotBeWrittenIsNamed() {
    Path file = folder.resolve("missing").resolve("x.safetensors");
    DataException e = assertThrows(DataException.class, () -> sample().write(file));
    assertEquals(file.toString(), e.problem().where());
    assertEquals("a file that can be written", e.problem().expected());
  }

  @Test
  void aTensorThatIsNotThereIsNamed() {
    DataException e = assertThrows(DataException.class, () -> sample().tensor("weight"));
    assertEquals("a tensor weight", e.problem().expected());
  }

  @Test
  void theShortestFilesAreRead() throws IOException {
    assertEquals(0, SafeTensors.read(file("{}", 0), scope).tensors().size());
    assertEquals(2, SafeTensors.read(file(ONE + "   ", 8), scope).tensor("a").spec().size());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "8  | [] | a header that starts with {",
        "8  | {'a':{'dtype':'F32','shape':[2],'data_offsets':[0,8]} | a header in JSON",
        "8  | {'a':1} | an object for a",
        "8  | {'a':{'dtype':'F32','shape':[2]}} | dtype, shape and data_offsets of a",
        "8  | {'a':{'dtype':'F32','shape':[2],'data_offsets':[0,8],'x':1}} | dtype, shape and data_offsets of a",
        "8  | {'a':{'dtype':'F8_E4M3','shape':[8],'data_offsets':[0,8]}} | dtype F64, F32, F16, BF16, I64, I32, U8 or BOOL of a",
        "8  | {'a':{'dtype':'f32','shape':[2],'data_offsets':[0,8]}} | dtype F64, F32, F16, BF16, I64, I32, U8 or BOOL of a",
        "8  | {'a':{'dtype':4,'shape':[2],'data_offsets':[0,8]}} | a string as dtype of a",
        "8  | {'a':{'dtype':'F32','shape':2,'data_offsets':[0,8]}} | an array of whole numbers as shape of a",
        "8  | {'a':{'dtype':'F32','shape':[2.0],'data_offsets':[0,8]}} | an array of whole numbers as shape of a",
        "8  | {'a':{'dtype':'F32','shape':[[2]],'data_offsets':[0,8]}} | an array of whole numbers as shape of a",
        "8  | {'a':{'dtype':'F32','shape':[36893488147419103234],'data_offsets':[0,8]}} | an array of whole numbers as shape of a",
        "8  | {'a':{'dtype':'F32','shape':[-2],'data_offsets':[0,8]}} | sizes from 1 to 2147483647 in the shape of a",
        "0  | {'a':{'dtype':'F32','shape':[0],'data_offsets':[0,0]}} | sizes from 1 to 2147483647 in the shape of a",
        "8  | {'a':{'dtype':'F32','shape':[2147483647,2147483647,2147483647],'data_offsets':[0,8]}} | at most 2147483647 elements in the shape of a",
        "8  | {'a':{'dtype':'F32','shape':[1],'data_offsets':[0,8]}} | data_offsets of a that hold fp32[1]",
        "8  | {'a':{'dtype':'F32','shape':[2],'data_offsets':[0]}} | two data_offsets of a",
        "8  | {'a':{'dtype':'F32','shape':[2],'data_offsets':[8,0]}} | data_offsets of a from 0 to 8, the end of the file",
        "8  | {'a':{'dtype':'F32','shape':[2],'data_offsets':[-8,0]}} | data_offsets of a from 0 to 8, the end of the file",
        "8  | {'a':{'dtype':'F32','shape':[4],'data_offsets':[0,16]}} | data_offsets of a from 0 to 8, the end of the file",
        "12 | {'a':{'dtype':'F32','shape':[2],'data_offsets':[0,8]}} | 12 bytes of tensors, as many as follow the header",
        "12 | {'a':{'dtype':'F32','shape':[2],'data_offsets':[4,12]}} | a to begin at 0, where the tensor before it ends",
        "12 | {'a':{'dtype':'F32','shape':[2],'data_offsets':[0,8]},'b':{'dtype':'F32','shape':[2],'data_offsets':[4,12]}} | b to begin at 8, where the tensor before it ends",
        "8  | {'a':{'dtype':'F32','shape':[2],'data_offsets':[0,8]},'a':{'dtype':'F32','shape':[2],'data_offsets':[0,8]}} | a header in JSON",
        "8  | {'a':{'dtype':'F32','dtype':'F32','shape':[2],'data_offsets':[0,8]}} | a header in JSON",
        "8  | {'a':{'dtype':'F32','shape':[2],'data_offsets':[0,8]}}{} | nothing behind the header's object",
        "0  | {'__metadata__':{'a':1}} | strings alone in __metadata__",
        "0  | {'__metadata__':'a'} | an object for __metadata__",
        "0  | {'__metadata__':{'a':'b'},'__metadata__':{'a':'b'}} | a header in JSON",
      })
  void whatTheFormatDoesNotHaveIsRefused(int elementBytes, String header, String expected)
      throws IOException {
    assertEquals(expected, refused(file(header, elementBytes)).problem().expected());
  }

  /** What stands in a file is no text of ours. */
  @Test
  void whatIsShownOfAFileIsShortAndOfPlainCharacters() throws IOException {
    String header = "{'a':{'dtype':'%s','shape':[2],'data_offsets':[0,8]}}";
    assertEquals("''", refused(file(header.formatted(""), 8)).problem().got());
    assertEquals("x?[2J", refused(file(header.formatted("x\\u001b[2J"), 8)).problem().got());
    String got = refused(file(header.formatted("y".repeat(2000)), 8)).problem().got();
    assertEquals("y".repeat(1000) + "...", got);
  }

  @Test
  void otherEncodingsAreRefused() throws IOException {
    byte[] malformed = "{\"a\":\"?\"}".getBytes(StandardCharsets.UTF_8);
    malformed[6] = (byte) 0xFF;
    assertEquals("a header in UTF-8", refused(file(malformed, 0)).problem().expected());
    byte[] utf16 = ONE.replace('\'', '"').getBytes(StandardCharsets.UTF_16LE);
    assertEquals("a header in JSON", refused(file(utf16, 8)).problem().expected());
  }

  @Test
  void lengthsBeyondTheFileAreRefusedBeforeAnythingIsAllocated() throws IOException {
    for (long claimed : new long[] {0, 1, 1000, 1L << 40, Long.MAX_VALUE, -1}) {
      byte[] bytes = Files.readAllBytes(file(ONE, 8));
      ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putLong(claimed);
      Path file = Files.write(folder.resolve("claims.safetensors"), bytes);
      assertTrue(refused(file).problem().expected().startsWith("a header of 2 to 62 bytes"));
    }
    byte[] large = new byte[(8 << 20) + 1];
    Arrays.fill(large, (byte) ' ');
    large[0] = '{';
    large[1] = '}';
    assertEquals("a header of 2 to 8388608 bytes", refused(file(large, 0)).problem().expected());
    refused(folder.resolve("missing.safetensors"));
    refused(folder);
  }

  @Test
  void everyTruncationAndRandomDamageIsRefusedOrHarmless() throws IOException {
    Path whole = folder.resolve("whole.safetensors");
    sample().write(whole);
    byte[] bytes = Files.readAllBytes(whole);
    Path damaged = folder.resolve("damaged.safetensors");
    for (int length = 0; length < bytes.length; length++) {
      refused(Files.write(damaged, Arrays.copyOf(bytes, length)));
    }
    SplittableRandom random = new SplittableRandom(1);
    int refusals = 0;
    for (int i = 0; i < 400; i++) {
      byte[] changed = bytes.clone();
      changed[random.nextInt(bytes.length - 40)] = (byte) random.nextInt();
      Files.write(damaged, changed);
      try {
        SafeTensors.read(damaged, scope);
      } catch (DataException _) {
        refusals++;
      }
    }
    assertTrue(refusals > 200, refusals + " of 400 refused");
  }
}
