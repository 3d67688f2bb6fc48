package dev.halfcell.rest.worker;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames out of a stream of bytes, whatever comes. */
final class FramesTest {
  private static Optional<byte[]> read(byte... bytes) throws IOException, ProtocolException {
    return Frames.read(Channels.newChannel(new ByteArrayInputStream(bytes)), 100);
  }

  private static byte[] head(int length) {
    return ByteBuffer.allocate(4).putInt(length).array();
  }

  @Test
  void whatIsWrittenIsRead() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Frames.write(Channels.newChannel(out), new byte[] {1, 2, 3});
    assertArrayEquals(new byte[] {0, 0, 0, 3, 1, 2, 3}, out.toByteArray());
    assertArrayEquals(new byte[] {1, 2, 3}, read(out.toByteArray()).orElseThrow());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, 101, Integer.MAX_VALUE, Integer.MIN_VALUE})
  void aLengthThatCannotBeIsRefusedBeforeAnyOfItIsRead(int length) {
    assertThrows(ProtocolException.class, () -> read(head(length)));
  }

  @Test
  void whoStopsInTheMiddleIsGone() throws Exception {
    assertTrue(read().isEmpty());
    assertTrue(read((byte) 0, (byte) 0).isEmpty());
    assertTrue(read((byte) 0, (byte) 0, (byte) 0, (byte) 2, (byte) 1).isEmpty());
  }

  @Test
  void framesOfNoneAndOfTooManyBytesAreNotWritten() {
    var out = Channels.newChannel(new ByteArrayOutputStream());
    assertThrows(IllegalArgumentException.class, () -> Frames.write(out, new byte[0]));
    assertThrows(
        IllegalArgumentException.class, () -> Frames.write(out, new byte[Frames.MOST + 1]));
  }

  /** Whatever bytes come, each frame is a message, refused as none, or the end. */
  @Test
  void noiseIsRefusedAndNothingElseHappens() throws IOException {
    Random random = new Random(7);
    int refused = 0;
    for (int round = 0; round < 20_000; round++) {
      byte[] noise = new byte[random.nextInt(64)];
      random.nextBytes(noise);
      if (noise.length > 4 && random.nextBoolean()) {
        System.arraycopy(head(random.nextInt(noise.length)), 0, noise, 0, 4);
      }
      refused += refuses(noise) ? 1 : 0;
    }
    assertTrue(refused > 10_000, () -> "too few were noise");
  }

  /** So are messages with some bytes changed, or refused for what they then say. */
  @Test
  void damagedMessagesAreReadOrRefused() throws IOException {
    Random random = new Random(8);
    for (int round = 0; round < 20_000; round++) {
      byte[] message = Messages.encode(MessagesTest.TOLD);
      for (int change = 0; change <= random.nextInt(3); change++) {
        message[random.nextInt(message.length)] = (byte) random.nextInt();
      }
      byte[] frame =
          ByteBuffer.allocate(4 + message.length).putInt(message.length).put(message).array();
      var _ = refuses(frame);
    }
  }

  private static boolean refuses(byte[] bytes) throws IOException {
    ReadableByteChannel from = Channels.newChannel(new ByteArrayInputStream(bytes));
    try {
      for (Optional<byte[]> frame = Frames.read(from, Frames.MOST);
          frame.isPresent();
          frame = Frames.read(from, Frames.MOST)) {
        var _ = Messages.fromWorker(frame.get());
      }
      return false;
    } catch (ProtocolException e) {
      return true;
    }
  }
}
