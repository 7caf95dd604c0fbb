package io.waymark.bench.topology;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KV;
import io.etcd.jetcd.Watch;
import io.etcd.jetcd.options.WatchOption;
import io.etcd.jetcd.watch.WatchEvent;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/** etcd by jetcd alone: a put, and a watch of the key whose events carry the value. */
final class EtcdSubject implements Subject {
  private final Server server;
  private final Client writing;
  private final List<Client> reading = new ArrayList<>();

  private EtcdSubject(Server server) {
    this.server = server;
    this.writing = EtcdServer.client(server);
  }

  static Subject open() throws IOException {
    return new EtcdSubject(EtcdServer.start());
  }

  @Override
  public String servers() {
    return "etcd " + Versions.of("etcd", "--version");
  }

  private static ByteSequence key(String group) {
    return EtcdServer.bytes("/bench/" + group);
  }

  /** A put is committed and can be found at once. */
  @Override
  public Writer writer(boolean published) {
    KV store = writing.getKVClient();
    return new Writer() {
      @Override
      public void write(String group, long number) throws Exception {
        store
            .put(key(group), EtcdServer.bytes(Load.encoded(group, number)))
            .get(30, TimeUnit.SECONDS);
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public void follow(int reader, String group, LongConsumer seen) {
    Client client = EtcdServer.client(server);
    reading.add(client);
    client
        .getWatchClient()
        .watch(
            key(group),
            WatchOption.DEFAULT,
            Watch.listener(
                response -> {
                  for (WatchEvent event : response.getEvents()) {
                    String text = event.getKeyValue().getValue().toString(UTF_8);
                    seen.accept(Load.number(group, text));
                  }
                }));
  }

  @Override
  public void close() {
    reading.forEach(Client::close);
    writing.close();
    server.close();
  }
}
