package io.waymark.testing.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PostgresClusterBuilderTest {

  private final PostgresClusterBuilder builder = PostgresCluster.builder();

  @Test
  void refusesWhatItCannotDoAndSaysWhatItCan() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.version(14))
        .withMessage("version must be 15, 16, 17 or 18, was 14");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.replicas(-1))
        .withMessage("replicas must be 0 to 9, was -1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.setting("port", "1"))
        .withMessage("setting port is the cluster's own business");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.setting("work_mem = 1\nfsync", "1"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.setting("max_connections", "50"))
        .withMessage("max_connections must be at least 100, was 50");
    assertThatIllegalArgumentException().isThrownBy(() -> builder.timeout(Duration.ZERO));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.replicas(1).synchronousReplicas(2).start())
        .withMessage("synchronousReplicas is 2, but there are only 1 replicas");
  }

  @Test
  void anInstallationWithoutAServerNamesWhatIsMissing(@TempDir Path folder) {
    assertThatExceptionOfType(PostgresClusterException.class)
        .isThrownBy(() -> builder.installation(folder).start())
        .withMessageContaining("no executable initdb in " + folder);
  }

  @Test
  void noPasswordIsShown() {
    builder.role("app", "s3cret");

    assertThat(builder.config().toString()).contains("Role[app]").doesNotContain("s3cret");
  }
}
