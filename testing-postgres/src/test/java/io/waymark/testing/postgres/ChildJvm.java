package io.waymark.testing.postgres;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Another JVM that runs {@link ClusterMain}. */
final class ChildJvm implements AutoCloseable {

  private final Process process;
  private final Path folder;
  private final List<Long> servers;

  private ChildJvm(Process process, Path folder, List<Long> servers) {
    this.process = process;
    this.folder = folder;
    this.servers = servers;
  }

  /** Starts it and waits until its cluster is up. */
  static ChildJvm start(List<String> prefix, String classPath, List<String> options, String... how)
      throws IOException {
    List<String> command = new ArrayList<>(prefix);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(List.of("-cp", classPath, ClusterMain.class.getName()));
    command.addAll(Arrays.asList(how));
    Process process =
        new ProcessBuilder(command).directory(new File("/")).redirectErrorStream(true).start();
    StringBuilder said = new StringBuilder();
    BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      if (line.startsWith("READY ")) {
        List<String> words = List.of(line.split(" ", -1));
        return new ChildJvm(
            process,
            Path.of(words.get(1)),
            words.subList(2, words.size()).stream().map(Long::valueOf).toList());
      }
      said.append(line).append('\n');
    }
    throw new AssertionError("the other JVM failed:\n" + said);
  }

  static String ownClassPath() {
    return System.getProperty("java.class.path");
  }

  Process process() {
    return process;
  }

  Path folder() {
    return folder;
  }

  List<Long> servers() {
    return servers;
  }

  boolean leftNothing() {
    return servers.stream().allMatch(Signals::gone)
        && !Files.exists(folder)
        && !Files.exists(folder.resolveSibling(folder.getFileName() + ".lock"));
  }

  @Override
  public void close() throws IOException {
    process.getOutputStream().close();
    process.destroyForcibly();
  }
}
