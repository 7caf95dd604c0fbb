package io.waymark.bench.topology;

import java.util.Locale;

/** Who is compared. */
public enum TopologyContender {
  /** Coordinator and store in one PostgreSQL. */
  WAYMARK_POSTGRES("coordinator on PostgreSQL, published in the same PostgreSQL") {
    @Override
    Subject open() throws Exception {
      return WaymarkSubject.open(WaymarkStore::postgres);
    }
  },

  /** Coordinator on PostgreSQL, store in Redis. */
  WAYMARK_REDIS("coordinator on PostgreSQL, published in Redis") {
    @Override
    Subject open() throws Exception {
      return WaymarkSubject.open(WaymarkStore::redis);
    }
  },

  /** Coordinator on PostgreSQL, store in etcd. */
  WAYMARK_ETCD("coordinator on PostgreSQL, published in etcd") {
    @Override
    Subject open() throws Exception {
      return WaymarkSubject.open(WaymarkStore::etcd);
    }
  },

  /** etcd alone. */
  ETCD("etcd alone: put and watch by jetcd") {
    @Override
    Subject open() throws Exception {
      return EtcdSubject.open();
    }
  },

  /** ZooKeeper alone. */
  ZOOKEEPER("ZooKeeper alone: setData and a persistent watch") {
    @Override
    Subject open() throws Exception {
      return ZooKeeperSubject.open();
    }
  };

  private final String description;

  TopologyContender(String description) {
    this.description = description;
  }

  /** As it is written on a command line and in a table. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** What it is, in a few words. */
  public String description() {
    return description;
  }

  /** Starts its servers. */
  abstract Subject open() throws Exception;
}
