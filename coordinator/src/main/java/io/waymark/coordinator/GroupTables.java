package io.waymark.coordinator;

import io.waymark.durable.DurableStore;
import io.waymark.durable.Migrations;
import io.waymark.durable.StoreTransaction;
import io.waymark.topology.Member;
import io.waymark.topology.MemberRole;
import io.waymark.topology.MemberState;
import io.waymark.topology.Stamp;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jdbi.v3.core.statement.Query;
import org.jdbi.v3.core.statement.SqlStatement;

/**
 * The rows of groups, members and states: all statements on them. Those that change something run
 * in the transaction of a change, after the one that compared the group's row. Thread safe.
 */
final class GroupTables {
  static final Migrations MIGRATIONS =
      Migrations.of("coordinator", GroupTables.class, "0001_groups.sql");

  /** The head of a group with one of its members and one of its values. */
  record Delivered(long epoch, Member member, StoredGroup.State state) {}

  private static final String GROUP_COLUMNS =
      "name, epoch, version, changes, deleted, takes_over, last_update";

  private final DurableStore store;
  private final String snapshot;
  private final String group;
  private final String members;
  private final String states;
  private final String create;
  private final String change;
  private final String addMember;
  private final String changeMember;
  private final String removeMember;
  private final String putState;
  private final String removeState;
  private final String removeMembers;
  private final String removeStates;
  private final String delivered;
  private final String takenOver;
  private final String page;
  private final String behind;
  private final String joining;
  private final String isJoining;
  private final String stamps;
  private final String count;
  private final String emptySince;
  private final String revoke;
  private final String notEmpty;

  GroupTables(DurableStore store) {
    this.store = store;
    String groups = store.table("waymark_topology_group");
    String memberRows = store.table("waymark_topology_member");
    String stateRows = store.table("waymark_topology_state");
    String named = " WHERE name = :name";
    String ofGroup = " WHERE group_name = :name";
    this.snapshot =
        store.file().isPresent()
            ? ""
            : "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY";
    this.group = "SELECT " + GROUP_COLUMNS + " FROM " + groups + named;
    this.members =
        "SELECT id, place, state, attributes, empty_since FROM "
            + memberRows
            + ofGroup
            + " ORDER BY place";
    this.states = "SELECT channel, role, value, set_at FROM " + stateRows + ofGroup;
    this.create =
        "INSERT INTO "
            + groups
            + " (name, epoch, version, changes, deleted, takes_over, members, joining, last_update)"
            + " VALUES (:name, :epoch, :version, :changes, :deleted, :takesOver, :members,"
            + " :joining, :update) ON CONFLICT (name) DO NOTHING";
    this.change =
        "UPDATE "
            + groups
            + " SET epoch = :epoch, version = :version, changes = :changes, deleted = :deleted,"
            + " takes_over = :takesOver, members = :members, joining = :joining,"
            + " last_update = :update"
            // The number alone does not tell: numbers that a failover lost are given out again.
            + " WHERE name = :name AND changes = :base AND last_update = :baseUpdate";
    this.addMember =
        "INSERT INTO "
            + memberRows
            + " (group_name, id, place, state, attributes)"
            + " VALUES (:name, :id, :place, :state, :attributes)";
    this.changeMember =
        "UPDATE "
            + memberRows
            + " SET place = :place, state = :state, attributes = :attributes,"
            + " empty_since = CASE WHEN state = :state THEN empty_since END"
            + ofGroup
            + " AND id = :id";
    this.removeMember = "DELETE FROM " + memberRows + ofGroup + " AND id = :id";
    this.putState =
        "INSERT INTO "
            + stateRows
            + " (group_name, channel, role, value, set_at)"
            + " VALUES (:name, :channel, :role, :value, :setAt)"
            + " ON CONFLICT (group_name, channel) DO UPDATE SET role = excluded.role,"
            + " value = excluded.value, set_at = excluded.set_at";
    this.removeState = "DELETE FROM " + stateRows + ofGroup + " AND channel = :channel";
    this.removeMembers = "DELETE FROM " + memberRows + ofGroup;
    this.removeStates = "DELETE FROM " + stateRows + ofGroup;
    this.delivered =
        "SELECT g.epoch, m.id, m.state, m.attributes, s.role, s.value, s.set_at FROM "
            + groups
            + " g JOIN "
            + memberRows
            + " m ON m.group_name = g.name JOIN "
            + stateRows
            + " s ON s.group_name = g.name"
            + " WHERE g.name = :name AND m.id = :member AND s.channel = :channel";
    this.takenOver = "UPDATE " + groups + " SET takes_over = 0" + named + " AND takes_over = 1";
    this.page =
        "SELECT name, epoch, version, deleted, members FROM "
            + groups
            + " WHERE name > :after ORDER BY name LIMIT :most";
    this.behind =
        "SELECT name FROM " + groups + " WHERE epoch < :epoch ORDER BY epoch, name LIMIT :most";
    this.joining =
        "SELECT name FROM "
            + groups
            + " WHERE joining > 0 AND name > :after ORDER BY name LIMIT :most";
    this.isJoining = "SELECT 1 FROM " + groups + named + " AND joining > 0";
    this.stamps = "SELECT name, epoch, version FROM " + groups + " WHERE name IN (<names>)";
    this.count = "SELECT count(*) FROM " + groups;
    this.revoke =
        "UPDATE "
            + groups
            + " SET changes = changes + 1"
            + named
            + " AND EXISTS (SELECT 1 FROM "
            + memberRows
            + ofGroup
            + " AND id = :id AND empty_since IS NOT NULL)";
    this.notEmpty = "UPDATE " + memberRows + " SET empty_since = NULL" + ofGroup + " AND id = :id";
    this.emptySince =
        "UPDATE "
            + memberRows
            + " SET empty_since = :since"
            + ofGroup
            + " AND id = :id AND state = :state"
            + " AND (empty_since IS NULL OR empty_since > :since)"; // the clock was set back
  }

  // ---- reading ---------------------------------------------------------------------------------

  /** A group with everything that belongs to it, as of one moment. */
  StoredGroup read(String name) {
    return store.inTransaction(
        tx -> {
          Handle handle = handle(tx);
          if (!snapshot.isEmpty()) {
            handle.execute(snapshot);
          }
          return read(handle, name);
        });
  }

  /** As {@link #read(String)}, in a transaction that holds the row or needs no one moment. */
  StoredGroup read(Handle handle, String name) {
    StoredGroup head = head(handle, name);
    if (!head.exists()) {
      return head;
    }
    return new StoredGroup(
        name,
        head.epoch(),
        head.version(),
        head.changes(),
        false,
        head.takesOver(),
        head.lastUpdate(),
        handle.createQuery(members).bind("name", name).map((row, context) -> member(row)).list(),
        states(handle, name));
  }

  /** A group without what belongs to it. */
  StoredGroup head(String name) {
    return store.inTransaction(tx -> head(handle(tx), name));
  }

  /** As {@link #head(String)}. */
  StoredGroup head(Handle handle, String name) {
    return handle
        .createQuery(group)
        .bind("name", name)
        .map((row, context) -> head(row))
        .findOne()
        .orElse(StoredGroup.unknown(name));
  }

  private Map<String, StoredGroup.State> states(Handle handle, String name) {
    Map<String, StoredGroup.State> found = new TreeMap<>();
    handle
        .createQuery(states)
        .bind("name", name)
        .map((row, context) -> Map.entry(row.getString("channel"), state(row)))
        .forEach(each -> found.put(each.getKey(), each.getValue()));
    return found;
  }

  private static StoredGroup head(ResultSet row) throws SQLException {
    return new StoredGroup(
        row.getString("name"),
        row.getLong("epoch"),
        row.getLong("version"),
        row.getLong("changes"),
        row.getInt("deleted") != 0,
        row.getInt("takes_over") != 0,
        row.getString("last_update"),
        List.of(),
        Map.of());
  }

  private static StoredGroup.Row member(ResultSet row) throws SQLException {
    long emptySince = row.getLong("empty_since");
    boolean never = row.wasNull();
    return new StoredGroup.Row(onlyMember(row), row.getInt("place"), never ? null : emptySince);
  }

  private static Member onlyMember(ResultSet row) throws SQLException {
    return new Member(
        row.getString("id"),
        MemberState.valueOf(row.getString("state").toUpperCase(Locale.ROOT)),
        CanonicalJson.texts(row.getString("attributes")));
  }

  private static StoredGroup.State state(ResultSet row) throws SQLException {
    return new StoredGroup.State(
        MemberRole.valueOf(row.getString("role").toUpperCase(Locale.ROOT)),
        row.getString("value"),
        row.getLong("set_at"));
  }

  /** What one member is to be told; empty if it or the value is gone. */
  Optional<Delivered> delivered(String name, String member, String channel) {
    return store.inTransaction(
        tx ->
            handle(tx)
                .createQuery(delivered)
                .bind("name", name)
                .bind("member", member)
                .bind("channel", channel)
                .map(
                    (row, context) ->
                        new Delivered(row.getLong("epoch"), onlyMember(row), state(row)))
                .findOne());
  }

  /** Groups by name, deleted ones included. */
  List<GroupSummary> page(String authority, String after, int most) {
    return store.inTransaction(
        tx ->
            handle(tx)
                .createQuery(page)
                .bind("after", after)
                .bind("most", most)
                .map(
                    (row, context) ->
                        new GroupSummary(
                            row.getString("name"),
                            new Stamp(authority, row.getLong("epoch"), row.getLong("version")),
                            row.getInt("members"),
                            row.getInt("deleted") != 0))
                .list());
  }

  /** Names of groups whose epoch is an older one. */
  List<String> behind(long epoch, int most) {
    return store.inTransaction(
        tx ->
            handle(tx)
                .createQuery(behind)
                .bind("epoch", epoch)
                .bind("most", most)
                .mapTo(String.class)
                .list());
  }

  /** Names of groups with members that are joining. */
  List<String> joining(String after, int most) {
    return store.inTransaction(
        tx ->
            handle(tx)
                .createQuery(joining)
                .bind("after", after)
                .bind("most", most)
                .mapTo(String.class)
                .list());
  }

  /** Whether a group has members that are joining. */
  boolean isJoining(String name) {
    return store.inTransaction(
        tx ->
            handle(tx)
                .createQuery(isJoining)
                .bind("name", name)
                .mapTo(Integer.class)
                .findOne()
                .isPresent());
  }

  /** The stamps of those of the named groups that the database knows. */
  Map<String, Stamp> stamps(String authority, Collection<String> names) {
    List<String> all = List.copyOf(names);
    return store.inTransaction(
        tx -> {
          Map<String, Stamp> found = new HashMap<>();
          Query query =
              handle(tx)
                  .createQuery(
                      stamps.replace(
                          "<names>", String.join(", ", Collections.nCopies(all.size(), "?"))));
          for (int i = 0; i < all.size(); i++) {
            query.bind(i, all.get(i));
          }
          query
              .map(
                  (row, context) ->
                      Map.entry(
                          row.getString("name"),
                          new Stamp(authority, row.getLong("epoch"), row.getLong("version"))))
              .forEach(each -> found.put(each.getKey(), each.getValue()));
          return found;
        });
  }

  /** How many groups there are, deleted ones included. */
  long count() {
    return store.inTransaction(tx -> handle(tx).createQuery(count).mapTo(Long.class).one());
  }

  // ---- changing --------------------------------------------------------------------------------

  /** The group's row after a change. */
  record Head(
      StoredGroup base,
      long epoch,
      long version,
      boolean deleted,
      boolean takesOver,
      List<Member> members,
      String update) {
    long changes() {
      return base.changes() + 1;
    }
  }

  /** Puts the row where it was not changed since it was read; false if it was. */
  boolean compareAndSet(Handle handle, Head head) {
    long joiningMembers =
        head.members().stream().filter(each -> each.state() == MemberState.JOINING).count();
    return handle
            .createUpdate(head.base().isKnown() ? change : create)
            .bind("name", head.base().name())
            .bind("base", head.base().changes())
            .bind("baseUpdate", head.base().lastUpdate())
            .bind("epoch", head.epoch())
            .bind("version", head.version())
            .bind("changes", head.changes())
            .bind("deleted", head.deleted() ? 1 : 0)
            .bind("takesOver", head.takesOver() ? 1 : 0)
            .bind("members", head.members().size())
            .bind("joining", joiningMembers)
            .bind("update", head.update())
            .execute()
        == 1;
  }

  /** Writes those rows of members that differ. */
  void writeMembers(Handle handle, StoredGroup base, List<Member> next) {
    String name = base.name();
    Map<String, StoredGroup.Row> before = new TreeMap<>();
    base.rows().forEach(row -> before.put(row.member().id(), row));
    List<Integer> places = Places.of(base.rows(), next);
    PreparedBatch added = handle.prepareBatch(addMember);
    PreparedBatch changed = handle.prepareBatch(changeMember);
    for (int i = 0; i < next.size(); i++) {
      Member member = next.get(i);
      StoredGroup.Row row = before.remove(member.id());
      if (row == null) {
        bind(added, name, member, places.get(i)).add();
      } else if (!row.member().equals(member) || row.place() != places.get(i)) {
        bind(changed, name, member, places.get(i)).add();
      }
    }
    PreparedBatch removed = handle.prepareBatch(removeMember);
    before.keySet().forEach(id -> removed.bind("name", name).bind("id", id).add());
    for (PreparedBatch batch : List.of(removed, changed, added)) {
      if (batch.size() > 0) {
        batch.execute();
      }
    }
  }

  private static <S extends SqlStatement<S>> S bind(
      S statement, String name, Member member, int place) {
    return statement
        .bind("name", name)
        .bind("id", member.id())
        .bind("place", place)
        .bind("state", member.state().text())
        .bind("attributes", CanonicalJson.texts(member.attributes()));
  }

  /** Writes those rows of states that differ. */
  void writeStates(Handle handle, StoredGroup base, Map<String, StoredGroup.State> next) {
    String name = base.name();
    for (String channel : base.states().keySet()) {
      if (!next.containsKey(channel)) {
        handle.createUpdate(removeState).bind("name", name).bind("channel", channel).execute();
      }
    }
    next.forEach(
        (channel, state) -> {
          if (!state.equals(base.states().get(channel))) {
            handle
                .createUpdate(putState)
                .bind("name", name)
                .bind("channel", channel)
                .bind("role", state.role().name().toLowerCase(Locale.ROOT))
                .bind("value", state.value())
                .bind("setAt", state.setAt())
                .execute();
          }
        });
  }

  void removeAll(Handle handle, String name) {
    handle.createUpdate(removeMembers).bind("name", name).execute();
    handle.createUpdate(removeStates).bind("name", name).execute();
  }

  /** What another authority had published was replaced; it is not to happen again. */
  void takenOver(String name) {
    store.inTransaction(tx -> handle(tx).createUpdate(takenOver).bind("name", name).execute());
  }

  /** A draining member reported itself empty; the first time is kept. */
  void emptySince(Handle handle, String name, String member, long micros) {
    handle
        .createUpdate(emptySince)
        .bind("name", name)
        .bind("id", member)
        .bind("state", MemberState.DRAINING.text())
        .bind("since", micros)
        .execute();
  }

  /** A member holds something after all; a removal that is being decided has to look again. */
  void notEmpty(Handle handle, String name, String member) {
    if (handle.createUpdate(revoke).bind("name", name).bind("id", member).execute() > 0) {
      handle.createUpdate(notEmpty).bind("name", name).bind("id", member).execute();
    }
  }

  static Handle handle(StoreTransaction tx) {
    return tx.unwrap(Handle.class);
  }
}
