package io.waymark.testing.postgres;

import java.util.Comparator;

/**
 * The version of an artifact with server binaries, such as 18.6.0: PostgreSQL 18.6, first build.
 */
record ArtifactVersion(int major, int minor, int build) implements Comparable<ArtifactVersion> {

  private static final Comparator<ArtifactVersion> ORDER =
      Comparator.comparingInt(ArtifactVersion::major)
          .thenComparingInt(ArtifactVersion::minor)
          .thenComparingInt(ArtifactVersion::build);

  /** Parses three numbers with dots between them. */
  static ArtifactVersion parse(String text) {
    String[] parts = text.split("\\.", -1);
    return new ArtifactVersion(
        Integer.parseInt(parts[0]), Integer.parseInt(parts[1]), Integer.parseInt(parts[2]));
  }

  @Override
  public int compareTo(ArtifactVersion other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return major + "." + minor + "." + build;
  }
}
