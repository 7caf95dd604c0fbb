package io.waymark.testing.postgres;

import java.io.IOException;
import java.sql.SQLException;
import java.util.stream.Collectors;

/** A program that starts a cluster, tells where it is, and ends when its input does. */
final class ClusterMain {

  private ClusterMain() {}

  public static void main(String[] arguments) throws IOException, SQLException {
    PostgresCluster cluster = PostgresCluster.builder().replicas(1).start();
    Rows.run(cluster.primary(), "CREATE TABLE t (id int)");
    cluster.awaitCaughtUp();
    System.out.println(
        "READY "
            + cluster.folder()
            + " "
            + cluster.nodes().stream()
                .map(node -> Long.toString(node.pid()))
                .collect(Collectors.joining(" ")));
    while (System.in.read() >= 0) {
      Thread.onSpinWait();
    }
    if (arguments.length > 0 && arguments[0].equals("close")) {
      cluster.close();
    }
  }
}
