package io.waymark.postgres;

import io.waymark.core.Option;

/**
 * The options of a {@link WaymarkDataSource}: the one source for their paths in text form, their
 * defaults, the messages about them and their documentation.
 */
public enum PostgresOption implements Option {
  /** See {@link WaymarkDataSourceBuilder#primary}. */
  PRIMARY(
      "primary",
      "",
      Words.URL,
      "The server that takes the writes. Its endpoint is named `primary`. Credentials in the URL win"
          + " over `user` and `password` and are never shown.",
      "Without it there is nothing to connect to.",
      Tier.ESSENTIAL,
      true),
  /** See {@link ReplicaBuilder#url}. */
  REPLICA_URL(
      "replicas[i].url",
      "",
      Words.URL,
      "A server that takes reads; `i` counts from 0 without a gap.",
      "Without replicas the primary serves everything.",
      Tier.ESSENTIAL,
      true),
  /** See {@link WaymarkDataSourceBuilder#user}. */
  USER(
      "user",
      "",
      "a role name",
      "The login role on every endpoint whose URL names none.",
      "Without it the driver's own rules apply.",
      Tier.ESSENTIAL,
      false),
  /** See {@link WaymarkDataSourceBuilder#password(String)}. */
  PASSWORD(
      "password",
      "",
      "any text, or in the builder a supplier that is asked for every new connection",
      "The password of `user`. Empty means none, as for the server's own tools.",
      "Without it the driver's own rules apply, such as a password file.",
      Tier.ESSENTIAL,
      true),
  /** See {@link WaymarkDataSourceBuilder#max}. */
  MAX(
      "max",
      "10",
      Words.POSITIVE,
      "The most connections of each endpoint's pool.",
      "Ten processes fit into the 100 connections that a server takes unless told otherwise; raise"
          + " it when calls wait.",
      Tier.FREQUENT,
      false),
  /** See {@link WaymarkDataSourceBuilder#property}. */
  DRIVER_PROPERTY(
      "properties.<name>",
      "",
      "what the driver takes for this property, such as sslmode, sslrootcert, ApplicationName",
      "A property of the PostgreSQL driver, for every connection, the probes' included; one in the"
          + " URL wins. A name that the driver does not know is refused, unless `socketFactory` or"
          + " `sslfactory` is given, and so is what Waymark decides itself.",
      "The driver's own defaults.",
      Tier.FREQUENT,
      true),
  /** See {@link RoutingBuilder#select(Select)}. */
  ROUTING_SELECT(
      "routing.select",
      "weighted",
      "\"weighted\", \"roundRobin\", \"leastConnections\", \"latencyAware\", or in the builder a"
          + " function",
      "How one of the replicas that may serve a read is picked.",
      "Replicas of equal weight take turns, which is fair before anything was measured.",
      Tier.FREQUENT,
      false),
  /** See {@link RoutingBuilder#consistency(Consistency)}. */
  ROUTING_CONSISTENCY(
      "routing.consistency",
      "session",
      "\"session\" or \"eventual\"",
      "What a read may miss: with `session` no write that was committed before it through the same"
          + " session, with `eventual` any recent write.",
      "Code that reads what it wrote stays right when replicas are added.",
      Tier.FREQUENT,
      false),
  /** See {@link RoutingBuilder#maxLag(MaxLag)}. */
  ROUTING_MAX_LAG(
      "routing.maxLag",
      "",
      "a duration (\"5s\", \"500ms\", \"2m\") or a size (\"16MB\", \"512KB\", \"1GB\", \"4096B\")",
      "How far behind the primary a replica may be and still serve; zero means caught up. A replica"
          + " whose lag is unknown does not serve.",
      "No ceiling: how old is too old only the application knows.",
      Tier.FREQUENT,
      false),
  /** See {@link RoutingBuilder#fallback(Fallback)}. */
  ROUTING_FALLBACK(
      "routing.fallback",
      "primary",
      "\"primary\" or \"error\"",
      "What becomes of a read that no replica may serve: the primary serves it, or it fails with"
          + " WM1844.",
      "Most applications would rather be slower than fail.",
      Tier.FREQUENT,
      false),
  /** See {@link RoutingBuilder#zone}. */
  ROUTING_ZONE(
      "routing.zone",
      "",
      Words.ZONE,
      "Where this process runs. Reads go to replicas whose `zone` is the same, written alike, and to"
          + " the others only where none of those may serve.",
      "Without it all replicas are equally near.",
      Tier.FREQUENT,
      false),
  /** See {@link ReplicaBuilder#weight}. */
  REPLICA_WEIGHT(
      "replicas[i].weight",
      "1",
      "a positive number, with or without a fraction",
      "The replica's share of reads under `weighted`, relative to the other replicas.",
      "Equal weights take turns.",
      Tier.FREQUENT,
      false),
  /** See {@link ReplicaBuilder#name}. */
  REPLICA_NAME(
      "replicas[i].name",
      "",
      "a name that no other endpoint has, other than \"primary\"",
      "The endpoint's name in reasons, metrics and messages.",
      "Unnamed replicas are `replica-1` and so on, by their place.",
      Tier.FREQUENT,
      false),
  /** See {@link ReplicaBuilder#zone}. */
  REPLICA_ZONE(
      "replicas[i].zone",
      "",
      Words.ZONE,
      "Where the replica runs; see `routing.zone`.",
      "A replica without one counts as one of another zone.",
      Tier.FREQUENT,
      false),
  /** See {@link ReplicaBuilder#poolMax}. */
  REPLICA_POOL_MAX(
      "replicas[i].pool.max",
      "",
      Words.POSITIVE,
      "The most connections of this replica's pool.",
      "The common `max`, which suits servers of equal size.",
      Tier.RARE,
      false),
  /** See {@link WaymarkDataSourceBuilder#acquireTimeout(java.time.Duration)}. */
  ACQUIRE_TIMEOUT(
      "acquireTimeout",
      "30s",
      "a duration of at least 250ms (\"30s\", \"500ms\", \"1m\")",
      "How long a call waits for a connection of the chosen endpoint before it fails with WM1846.",
      "The pool's own default; below 250ms the pool cannot wait.",
      Tier.RARE,
      false),
  /** See {@link WaymarkDataSourceBuilder#connectTimeout(java.time.Duration)}. */
  CONNECT_TIMEOUT(
      "connectTimeout",
      "5s",
      Words.DURATION,
      "How long opening one connection may take.",
      "Two lost packets are survived, which are sent again after 1 and 3 seconds, and it is well below"
          + " the time a call may wait.",
      Tier.RARE,
      false),
  /** See {@link RoutingBuilder#probe(java.time.Duration)}. */
  ROUTING_PROBE(
      "routing.probe",
      "1s",
      "a number of milliseconds, or \"1s\", \"500ms\", or \"1m\"",
      "The interval between probes of one endpoint.",
      "A dead or promoted server is noticed within about two intervals, at the cost of one short"
          + " query each.",
      Tier.RARE,
      false),
  /** See {@link WaymarkDataSourceBuilder#pooler(Pooler)}. */
  POOLER(
      "pooler",
      "none",
      "\"none\" or \"transaction\"",
      "Whether a pooler such as PgBouncer in transaction mode stands before the servers, one server"
          + " behind each URL. Then no session is left changed. A pooler in session mode is `none`.",
      "Nothing stands in between; a pooler cannot be found out for sure from outside.",
      Tier.RARE,
      false),
  /** See {@link RoutingBuilder#nudge(Nudge)}. */
  ROUTING_NUDGE(
      "routing.nudge",
      "off",
      "\"on\" or \"off\"",
      "Whether an empty transactional message is committed on the primary, at most once per probe"
          + " interval, when a read after an autocommit write would wait for log that other sessions"
          + " have not committed yet.",
      "A data source that is only read from should not write. Without it such a read goes to the"
          + " primary until somebody commits.",
      Tier.RARE,
      false),
  /** See {@link WaymarkDataSourceBuilder#single(String)}. */
  SINGLE(
      "single",
      "",
      Words.URL,
      "A lone endpoint that serves writes and reads, instead of `primary` and replicas.",
      "For development and for servers without replicas; routing options have no effect.",
      Tier.RARE,
      true);

  /** Texts that several constants share; an enum's own constants come too late for that. */
  private static final class Words {
    static final String URL = "a URL with one host, such as jdbc:postgresql://host:5432/database";
    static final String ZONE = "a name, such as eu-west-1a";
    static final String POSITIVE = "a positive whole number";
    static final String DURATION = "a duration (\"1s\", \"500ms\", \"1m\")";
  }

  private final String path;
  private final String defaultText;
  private final String accepted;
  private final String description;
  private final String reason;
  private final Tier tier;
  private final boolean secret;

  PostgresOption(
      String path,
      String defaultText,
      String accepted,
      String description,
      String reason,
      Tier tier,
      boolean secret) {
    this.path = path;
    this.defaultText = defaultText;
    this.accepted = accepted;
    this.description = description;
    this.reason = reason;
    this.tier = tier;
    this.secret = secret;
  }

  @Override
  public String path() {
    return path;
  }

  @Override
  public String defaultText() {
    return defaultText;
  }

  @Override
  public String accepted() {
    return accepted;
  }

  @Override
  public String description() {
    return description;
  }

  @Override
  public String reason() {
    return reason;
  }

  @Override
  public Tier tier() {
    return tier;
  }

  @Override
  public boolean secret() {
    return secret;
  }

  /** Whether it belongs to one replica, so that its path holds an index. */
  boolean ofReplica() {
    return path.contains("[i]");
  }
}
