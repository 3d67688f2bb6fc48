package dev.halfcell.data;

import dev.halfcell.disk.Disk;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeMap;

/**
 * Reads one safetensors file.
 *
 * @param checked whether it has to have checksums
 */
record SafeTensorsReader(Disk.Input in, SafeTensors.Refusal refusal, boolean checked) {
  static final ValueLayout.OfLong LENGTH =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  SafeTensors read(TensorScope scope) throws IOException {
    long size = in.size();
    byte[] bytes = header(size);
    long start = SafeTensors.LENGTH_BYTES + bytes.length;
    SafeTensorsHeader header = new HeaderReader(refusal, size - start).read(bytes);
    Map<String, String> notes = new TreeMap<>(header.metadata());
    Optional<Checksums> sums =
        Optional.ofNullable(notes.remove(Checksums.KEY)).map(Checksums::parse);
    refusal.unless(sums.isPresent() || !checked, "checksums under " + Checksums.KEY, "none");
    sums.ifPresent(each -> each.requireHeader(bytes, header.entries().size(), refusal));
    return new SafeTensors(tensors(header, start, sums, scope), notes);
  }

  private SequencedMap<String, Tensor> tensors(
      SafeTensorsHeader header, long start, Optional<Checksums> sums, TensorScope scope)
      throws IOException {
    SequencedMap<String, Tensor> tensors = new LinkedHashMap<>();
    for (SafeTensorsHeader.Entry entry : header.entries()) {
      Tensor tensor = scope.allocate(entry.spec());
      fill(start + entry.begin(), tensor.data());
      int index = tensors.size();
      sums.ifPresent(each -> each.requireTensor(index, entry.name(), tensor.data(), refusal));
      tensors.put(entry.name(), tensor);
    }
    return tensors;
  }

  private byte[] header(long size) throws IOException {
    refusal.unless(
        size >= SafeTensors.LENGTH_BYTES + 2,
        "a header length of 8 bytes and a header",
        size + " bytes");
    byte[] length = new byte[(int) SafeTensors.LENGTH_BYTES];
    fill(0, MemorySegment.ofArray(length));
    long claimed = MemorySegment.ofArray(length).get(LENGTH, 0);
    long most = Math.min(size - SafeTensors.LENGTH_BYTES, SafeTensorsHeader.MOST_BYTES);
    refusal.unless(
        claimed >= 2 && claimed <= most,
        "a header of 2 to " + most + " bytes",
        Long.toUnsignedString(claimed) + " in the header length");
    byte[] header = new byte[(int) claimed];
    fill(SafeTensors.LENGTH_BYTES, MemorySegment.ofArray(header));
    return header;
  }

  private void fill(long from, MemorySegment to) throws IOException {
    long read = in.read(from, to);
    refusal.unless(
        read == to.byteSize(), to.byteSize() + " bytes at " + from, "the end of the file");
  }
}
