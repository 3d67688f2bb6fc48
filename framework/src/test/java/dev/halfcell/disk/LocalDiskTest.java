package dev.halfcell.disk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalDiskTest {
  private final Disk disk = Disk.local();

  @TempDir private Path folder;

  private static MemorySegment bytes(String text) {
    return MemorySegment.ofArray(text.getBytes(StandardCharsets.UTF_8));
  }

  private void write(Path file, String text) throws IOException {
    WholeFile.write(disk, file, to -> to.write(bytes(text)));
  }

  @Test
  void whatWasWrittenIsReadAndAppendedTo() throws IOException {
    Path file = folder.resolve("a");
    write(file, "to be replaced");
    write(file, "abc");
    try (Disk.Output end = disk.append(file)) {
      end.write(bytes("de"));
      end.force();
    }
    byte[] read = new byte[9];
    try (Disk.Input in = disk.open(file)) {
      assertEquals(5, in.size());
      assertEquals(2, in.read(3, MemorySegment.ofArray(read)));
      assertEquals(0, in.read(5, MemorySegment.ofArray(read)));
    }
    assertEquals("de", new String(read, 0, 2, StandardCharsets.UTF_8));
    assertEquals(List.of(file), disk.list(folder));
  }

  @Test
  void foldersAreMadeWithThoseAroundThem() throws IOException {
    Path deep = folder.resolve("a/b/c");
    disk.createFolders(deep);
    disk.createFolders(deep);
    write(deep.resolve("z"), "");
    write(deep.resolve("y"), "");
    assertEquals(List.of(deep.resolve("y"), deep.resolve("z")), disk.list(deep));
    disk.delete(deep.resolve("y"));
    disk.delete(deep.resolve("y"));
    assertEquals(List.of(deep.resolve("z")), disk.list(deep));
  }

  @Test
  void aFolderIsMadeInAnotherThatIsThere() throws IOException {
    Path made = folder.resolve("made");
    disk.createFolder(made);
    disk.createFolder(made);
    assertEquals(List.of(made), disk.list(folder));
    assertThrows(IOException.class, () -> disk.createFolder(folder.resolve("a/b")));
    write(folder.resolve("x"), "");
    assertThrows(IOException.class, () -> disk.createFolder(folder.resolve("x")));
    assertEquals(List.of(made, folder.resolve("x")), disk.list(folder));
  }

  @Test
  void writingThatFailsLeavesTheOldContentsAndNothingElse() throws IOException {
    Path file = folder.resolve("a");
    write(file, "old");
    IOException e =
        assertThrows(
            IOException.class,
            () ->
                WholeFile.write(
                    disk,
                    file,
                    to -> {
                      to.write(bytes("half of the n"));
                      throw new IOException("No space left on device");
                    }));
    assertEquals("No space left on device", e.getMessage());
    assertEquals("old", Files.readString(file));
    assertEquals(List.of(file), disk.list(folder));
  }

  @Test
  void whatIsNoFileIsRefusedAndNeverWaitedFor() throws Exception {
    assertThrows(NoSuchFileException.class, () -> disk.open(folder.resolve("none")));
    assertThrows(FileSystemException.class, () -> disk.open(folder));
    assertThrows(FileSystemException.class, () -> disk.open(Path.of("/dev/zero")));
    Path pipe = folder.resolve("pipe");
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    assertThrows(FileSystemException.class, () -> disk.open(pipe));
    assertThrows(
        NoSuchFileException.class,
        () -> disk.open(Files.createSymbolicLink(folder.resolve("dangling"), folder.resolve("x"))));
  }

  @Test
  void leftoversAreToldFromFilesOfARun() {
    assertTrue(WholeFile.isLeftover(Path.of("/run/.model.safetensors.17.partial")));
    assertFalse(WholeFile.isLeftover(Path.of("/run/model.safetensors")));
    assertFalse(WholeFile.isLeftover(Path.of("/run/.hidden")));
  }
}
