package io.waymark.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The decision table of the lexer: a text, and exactly the traits it has. */
class SqlTraitsTest {

  private static final String NONE = "";

  /** Lines of SQL under the traits they have; a text that needs line breaks stands elsewhere. */
  private static List<DynamicTest> each(String traits, String texts) {
    List<DynamicTest> tests = new ArrayList<>();
    for (String sql : texts.lines().toList()) {
      tests.add(
          DynamicTest.dynamicTest(
              "[" + traits + "] " + sql,
              () -> {
                assertThat(SqlTraits.scan(sql)).hasToString("[" + traits + "]");
                if (!sql.contains("\"") && !sql.contains("$") && !sql.contains("'")) {
                  String upper = sql.toUpperCase(Locale.ROOT);
                  assertThat(SqlTraits.scan(upper)).as(upper).hasToString("[" + traits + "]");
                }
              }));
    }
    return tests;
  }

  @TestFactory
  List<DynamicTest> plainReadsClaimNothing() {
    return each(
        NONE,
        """
        select 1
        select 1;
        ;; select 1 ;;
        select * from t where a = ? and b = $1 and c ->> 'x' = 'y' and d ?? 'k' and e ?| array['a']
        values (1), (2)
        table t
        show search_path
        fetch 10 from c
        move c
        close c
        checkpoint
        select my_function(1)
        select a::int, cast(b as text), c[1] from t
        with x as (select 1) select * from x
        with recursive x(n) as (values (1) union all select n + 1 from x where n < 9) select * from x
        with x as not materialized (select 1), y as materialized (select 2) select * from x, y
        with x as (select 1) table x
        with x as (with y as (select 1) select * from y) (select * from x) union all select 2
        {fn now()}
        select {fn concat('a', 'b')}, {d '2026-01-01'} from {oj a left outer join b on a.x = b.x}
        copy t to stdout
        copy t (a, b) to stdout with (format csv)
        copy (select * from t) to stdout
        explain select 1
        explain (costs off) select 1
        explain analyze select 1
        explain (analyze, buffers) (select 1)
        explain (select 1)
        select pg_current_xact_id_if_assigned(), txid_current_if_assigned()
        select lo_get(1), lo_open(1, 131072)
        set local work_mem = '5MB'
        set local role x
        set transaction isolation level repeatable read, read only, deferrable
        set transaction snapshot '00000003-0000001B-1'
        set constraints all deferred
        select set_config('a.b', 'c', true)
        select set_config('a.b', set_config('c.d', 'e', TRUE), true), true
        select pg_catalog.set_config('a.b', (array['x', 'y'])[1], /* here */ true )
        """);
  }

  @TestFactory
  List<DynamicTest> namesLiteralsAndCommentsAreNotTakenForSql() {
    return each(
        NONE,
        """
        select 'for update'
        select 'it''s for update'
        select $$ for update $$
        select $a$ $$ for update $b$ $a$, $_1é$ for update $_1é$
        select E'it\\'s for update', e'\\\\', E'a''for update'
        select U&'for update', N'for update', n'nextval()', B'0101', x'1F'
        select "for" , update from t
        select "for update" from t
        select "a"" for update" from t
        select u&"for update" from t
        select "nextval", nextval, "NEXTVAL"(1), "Nextval"(1) from t
        select 1 -- for update
        select 1 /* for update */
        select /* /* for update */ ; insert */ 1
        select a$for$ from t where x$$ = 'for' and y$b$ = 'update'
        select for_update, forupdate, "for"update from t
        select t.for update from t
        select 1 as for, 2 as update
        select substring(x for 3) from t
        select substring(x from 1 for update) from t
        select overlay(x placing 'a' from 1 for share) from t
        select update, insert, delete, merge from t update
        select count(*) delete from t
        select (1) delete from t
        select max(update), replace(insert, delete) from t
        with x as (select 1) select count(*) delete from x
        with x as (select 1) select update.a from t update
        with delete as (select 1) select * from delete
        with update as (select 1) select * from update
        with update(a) as (select 1), set as (select 2) select * from update, set
        with x as (select 1) search depth first by a, update set b select * from x
        with x as (select 1) cycle update set c using p select * from x
        select * from json_to_record('{}') as (update int, delete text)
        select * from json_to_record('{}') as r(update int, set text)
        select a as into from t
        select lastval from t as lastval
        select * from f() as nextval(a)
        select '$1' || $1 || $2, 1.5e+3, .5, 1e, 0x1F
        select 1 where 1 <> 2 and 3 - -4 = 5 and a @- b and 6*/* x */7 = 42
        """);
  }

  @TestFactory
  List<DynamicTest> rowLocksAreSeenAtAnyDepth() {
    return each(
        "locking",
        """
        select * from t for update
        select * from t for no key update
        select * from t for share
        select * from t for key share
        select * from t for update of t nowait
        select * from t limit 1for update skip locked
        select * from t limit $1for share
        (select * from t for update)
        (((select * from t for share)))
        ((select * from t) for update)
        with x as (select * from t for update) select * from x
        select * from (select * from t for update) s
        select (select a from t for update)
        (select * from t) union all (select * from u for key share)
        select * from t union all select * from u for update
        select array[(select a from t for update)]
        select substring((select a from t for update) for 3)
        select substring(a for 3) from t for update
        select a as for for update
        select * from t for/**/no /* /* x */ */ key/* */update
        table t for update
        declare c cursor for select * from t for update
        copy (select * from t for update) to stdout
        explain analyze select * from t for update
        {fn f(1)} for update
        """);
  }

  @TestFactory
  List<DynamicTest> locksThatAStandbyGrantsForNothingAreTold() {
    return each(
        "locking, vain-lock",
        """
        lock table t
        lock t in access share mode
        lock table only t in exclusive mode nowait
        select pg_advisory_xact_lock(1)
        select PG_TRY_ADVISORY_XACT_LOCK(1)
        select pg_advisory_xact_lock_shared(1)
        select pg_try_advisory_xact_lock_shared(1, 2)
        select * from t where pg_catalog.pg_try_advisory_xact_lock(id)
        select "pg_catalog" . "pg_advisory_xact_lock" /* x */ (1)
        """);
  }

  @Test
  void aPreparedRowLockIsHeldByTheSession() {
    assertThat(SqlTraits.scan("prepare p as select * from t for update"))
        .hasToString("[locking, session-state]");
  }

  @TestFactory
  List<DynamicTest> sessionAdvisoryLocksAlsoPin() {
    return each(
        "locking, session-state, vain-lock",
        """
        select pg_advisory_lock(1)
        select pg_advisory_lock_shared(1)
        select pg_try_advisory_lock(1)
        select pg_try_advisory_lock_shared(1)
        select pg_advisory_unlock(1)
        select pg_advisory_unlock_shared(1)
        select pg_advisory_unlock_all()
        select pg_catalog.pg_advisory_lock(1)
        """);
  }

  @TestFactory
  List<DynamicTest> knownWrites() {
    return each(
        "write",
        """
        insert into t values (1)
        /* x */ insert into t values (1)
        insert into t with x as (delete from u returning *) select * from x
        insert into temp values (1)
        update t set a = 1
        update t set a = 1 returning *
        update only (t) set a = 1
        delete from t
        merge into t using u on t.a = u.a when matched then update set b = 1
        insert into t values (1) on conflict (a) do update set a = 2
        truncate t
        create table t (a int)
        create unlogged table t (a int)
        create table t as select 1
        create index on t (a)
        create policy p on t for update using (true)
        create function f() returns int language sql return nextval('s')
        create rule r as on insert to t do also (insert into u values (1); delete from v)
        create trigger g before update on t for each row execute function pg_notify()
        alter table t add column b int
        alter system set work_mem = '5MB'
        drop table t
        grant execute on function pg_advisory_lock(bigint) to x
        revoke all on t from x
        comment on function pg_advisory_lock(bigint) is 'x'
        security label for p on table t is 'x'
        vacuum
        vacuum (analyze) t
        analyze t
        analyse
        reindex table t
        cluster
        repack t
        refresh materialized view v
        copy t from stdin
        copy t (a, b) from stdin
        import foreign schema x from server y into z
        reassign owned by a to b
        notify x
        notify x, 'y'
        select a into u from t
        select a insert into u from t
        (select a into u from t)
        select a into unlogged u from t
        select a into temp from t
        explain analyze insert into t values (1)
        explain analyze verbose update t set a = 1
        explain (verbose, analyze) delete from t
        explain (analyze off, analyze on) delete from t
        explain analyze create table t as select 1
        copy (insert into t values (1) returning a) to stdout
        copy (with d as (delete from t returning a) select * from d) to stdout
        select nextval('s')
        select NextVal('s'), setval('s', 1)
        select "nextval"('s')
        select currval('s'), lastval()
        select pg_notify('a', 'b')
        select txid_current()
        select pg_current_xact_id()
        select pg_logical_emit_message(true, 'a', 'b')
        select lo_creat(1), lo_create(0), lo_import('f'), lo_put(1, 0, x), lo_unlink(1)
        select lo_from_bytea(0, x), lowrite(0, x), lo_truncate(0, 1), lo_truncate64(0, 1)
        select pg_create_physical_replication_slot('x')
        select pg_create_logical_replication_slot('x', 'y')
        select pg_drop_replication_slot('x')
        select pg_replication_slot_advance('x', '0/1')
        select * from pg_logical_slot_get_changes('x', null, null)
        select pg_switch_wal()
        select {fn nextval('s')}
        """);
  }

  @TestFactory
  List<DynamicTest> writingCtes() {
    return each(
        "write",
        """
        with x as (insert into t values (1) returning *) select * from x
        with x as (update t set a = 1 returning *) select * from x
        with x as (update only t as y set a = 1 returning *) select * from x
        with x as (update "update" set a = 1 returning *) select * from x
        with x as materialized (delete from t returning *) select * from x
        with x as not materialized (delete from t returning *) select * from x
        with x as (merge into t using u on true when matched then delete returning *) select 1
        with a as (select 1), b as (delete from t returning *) select * from a, b
        with a as (select 1) insert into t select * from a
        with a as (select 1) update t set a = 1 from a
        with a as (select 1) delete from t using a
        with a as (select 1) merge into t using a on true when matched then do nothing
        with update as (select 1) update t set a = 1
        with update as (select 1) update update set a = 1
        with x as (update update set a = 1 returning *) select * from x
        with delete as (select 1) delete from t
        with a as (with b as (select 1) delete from t returning *) select * from a
        (with a as (delete from t returning *) select * from a)
        with a as (select 1) search depth first by x set y delete from t
        with a as (select 1) cycle x set y using z update t set a = 1
        explain analyze with a as (select 1) delete from t
        """);
  }

  @TestFactory
  List<DynamicTest> explainExecutesOnlyWithAnalyze() {
    return each(
        NONE,
        """
        explain insert into t values (1)
        explain verbose update t set a = 1
        explain (verbose) delete from t
        explain (analyze false) delete from t
        explain (analyze on, analyze off) delete from t
        explain (analyze 0, costs off) delete from t
        explain (analyze 'off') delete from t
        explain select * from t for update
        explain (select nextval('s'))
        explain (with x as (delete from t returning *) select * from x)
        explain create temp table x as select 1
        """);
  }

  @TestFactory
  List<DynamicTest> sessionState() {
    return each(
        "session-state",
        """
        set search_path = x
        set session search_path to x
        set time zone 'UTC'
        set role x
        set session authorization x
        set default_transaction_read_only = on
        set transaction_isolation = 'read committed'
        set session characteristics as transaction read only
        reset all
        discard all
        unlisten *
        load 'x'
        deallocate p
        deallocate all
        execute p
        execute p (1, 2)
        explain execute p
        prepare p as select 1
        prepare p (int, text) as select $1, $2
        prepare transaction as select 1
        declare c cursor with hold for select 1
        declare c no scroll cursor with hold for with x as (select 1) select * from x
        select set_config('a', 'b', false)
        select set_config('a', 'b', $1)
        select set_config('a', 'b', not true)
        select set_config('a', 'b', is_local => true)
        select set_config('a', set_config('b', 'c', false), true)
        select set_config('a', 'b'
        select setseed(0.5)
        """);
  }

  @TestFactory
  List<DynamicTest> sessionStateThatAlsoWrites() {
    return each(
        "write, session-state",
        """
        listen x
        create temp table t (a int)
        create temporary table t as select 1
        create local temporary table t (a int)
        create global temp table t (a int)
        create or replace temp view v as select 1
        create temp sequence s
        create table pg_temp.t (a int)
        create table if not exists pg_temp.t as select 1
        create function pg_temp.f() returns int language sql as 'select 1'
        select 1 as a into temp t
        select 1 as a into temporary table t from u
        select 1 as a into local temp "t"
        select 1 as a into pg_temp.t
        prepare p as insert into t values (1)
        prepare p (int) as with x as (select 1) delete from t
        prepare p as update t set a = 1
        """);
  }

  @TestFactory
  List<DynamicTest> declaredCursorsWithoutHoldClaimNothing() {
    return each(
        NONE,
        """
        declare c cursor for select 1
        declare c cursor without hold for select 1
        declare hold cursor for select 1
        """);
  }

  @TestFactory
  List<DynamicTest> transactionControl() {
    List<DynamicTest> tests = new ArrayList<>();
    tests.addAll(
        each(
            "session-state, transaction-control, begins",
            """
            begin
            begin work
            begin isolation level repeatable read, read only
            start transaction
            rollback and chain
            """));
    tests.addAll(
        each(
            "transaction-control",
            """
            rollback
            rollback and no chain
            abort
            rollback to savepoint x
            rollback work to x
            savepoint x
            release savepoint x
            """));
    tests.addAll(each("transaction-control, commits", "commit\nend\ncommit work\nend transaction"));
    tests.addAll(
        each(
            "write, transaction-control, commits",
            """
            prepare transaction 'x'
            commit prepared 'x'
            """));
    tests.addAll(each("write, transaction-control", "rollback prepared 'x'"));
    tests.addAll(
        each(
            "session-state, transaction-control, begins, commits",
            "commit and chain\ncommit work and chain"));
    return tests;
  }

  @TestFactory
  List<DynamicTest> callsAndBlocksMayWriteAndCommit() {
    return each(
        "write, commits",
        """
        call p()
        call s.p(1, ?)
        {call p(?)}
        { call p(?, ?) }
        {? = call f(?)}
        {?=call f(?)}
        /* x */ { ? = /* y */ CALL f() }
        do $$ begin perform 1; for r in select 1 loop update t set a = 1; end loop; end $$
        do language plpgsql 'begin end'
        """);
  }

  @TestFactory
  List<DynamicTest> modesThatAStandbyRefuses() {
    List<DynamicTest> tests = new ArrayList<>();
    tests.addAll(
        each(
            "session-state, transaction-control, begins, serializable",
            """
            begin isolation level serializable
            begin transaction read only, isolation level serializable deferrable
            start transaction isolation level serializable
            """));
    tests.addAll(
        each(
            "session-state, transaction-control, begins, read-write",
            "begin read write\nstart transaction isolation level repeatable read, read write"));
    tests.addAll(
        each(
            "serializable",
            """
            set transaction isolation level serializable
            set local transaction_isolation = 'serializable'
            """));
    tests.addAll(
        each(
            "session-state, serializable",
            """
            set session characteristics as transaction isolation level serializable
            set default_transaction_isolation = serializable
            set transaction_isolation to 'SERIALIZABLE'
            """));
    tests.addAll(
        each(
            "read-write",
            """
            set transaction read write
            set local transaction read write
            set session transaction read write
            set local transaction_read_only = off
            """));
    tests.addAll(
        each(
            "session-state, read-write",
            """
            set transaction_read_only to false
            set default_transaction_read_only = 'off'
            set session characteristics as transaction read write
            """));
    return tests;
  }

  @TestFactory
  List<DynamicTest> manyStatementsHaveTheTraitsOfAll() {
    List<DynamicTest> tests = new ArrayList<>();
    tests.addAll(
        each(
            "multiple",
            """
            select 1; select 2
            select 'a;b'; ; select $$;$$ ;
            """));
    tests.addAll(each("write, multiple", "select 1; insert into t values (1)"));
    tests.addAll(each("write, multiple", "explain delete from t; delete from t"));
    tests.addAll(each("write, multiple", "with x as (select 1) select 1; delete from t"));
    tests.addAll(
        each(
            "write, session-state, transaction-control, begins, commits, multiple",
            "begin; update t set a = 1; commit"));
    tests.addAll(each("locking, write, multiple", "select 1 for update; delete from t"));
    String atomic =
        "create function f() returns int begin atomic select case when true then 1 end as end;"
            + " delete from t; select 2 for update; end";
    tests.addAll(each("write", atomic));
    tests.addAll(each("write, multiple", atomic + "; select 1"));
    return tests;
  }

  @TestFactory
  List<DynamicTest> textsWithoutAStatementAreEmpty() {
    List<DynamicTest> tests = new ArrayList<>();
    for (String sql :
        new String[] {"", " ", ";", " ;; ", "-- select", "/* insert */", "/* /* */", "\n\t;--"}) {
      tests.addAll(
          List.of(
              DynamicTest.dynamicTest(
                  "'" + sql.strip() + "'",
                  () -> assertThat(SqlTraits.scan(sql)).hasToString("[empty]"))));
    }
    return tests;
  }

  @TestFactory
  List<DynamicTest> whatIsNotTerminatedRunsToTheEnd() {
    return each(
        NONE,
        """
        select ' for update
        select E' for update\\'
        select E' for update \\
        select " for update
        select $$ for update
        select $x$ for update $y$ $x
        select /* for update
        select /* /* */ for update
        select u&' for update
        select $
        select 1.
        select 1e+
        select for
        select }]))
        """);
  }

  @Test
  void lineBreaksEndLineCommentsAndContinueStrings() {
    assertThat(SqlTraits.scan("-- c\n update t set a = 1").knownWrite()).isTrue();
    assertThat(SqlTraits.scan("-- c\r update t set a = 1").knownWrite()).isTrue();
    assertThat(SqlTraits.scan("-- c update t set a = 1").empty()).isTrue();
    assertThat(SqlTraits.scan("select 1 for -- x\n update").locking()).isTrue();
    assertThat(SqlTraits.scan("select e'a'\n 'it\\'s for update'").locking()).isFalse();
    assertThat(SqlTraits.scan("select e'a' -- x\n -- y\n '\\' for update'").locking()).isFalse();
    assertThat(SqlTraits.scan("select e'a' '\\' for update").locking()).isTrue();
    assertThat(SqlTraits.scan("select 'a'\n '\\' for update").locking()).isTrue();
  }

  @Test
  void namesBeyondAsciiAreNames() {
    assertThat(SqlTraits.scan("select été, 表, for\u00a0update from t")).hasToString("[]");
    assertThat(SqlTraits.scan("select * from \"té\" for update").locking()).isTrue();
    assertThat(SqlTraits.scan("ınsert ınto t")).hasToString("[]");
  }

  @Test
  void eachPredicateAnswersForItsTrait() {
    SqlTraits all =
        SqlTraits.scan(
            "begin isolation level serializable, read write; lock t; insert into t values(1);"
                + " set a = b; commit");
    assertThat(all.locking()).isTrue();
    assertThat(all.knownWrite()).isTrue();
    assertThat(all.sessionState()).isTrue();
    assertThat(all.transactionControl()).isTrue();
    assertThat(all.begins()).isTrue();
    assertThat(all.commits()).isTrue();
    assertThat(all.serializable()).isTrue();
    assertThat(all.readWrite()).isTrue();
    assertThat(all.multiple()).isTrue();
    assertThat(all.empty()).isFalse();
    assertThat(SqlTraits.scan("select 1")).isEqualTo(SqlTraits.scan("select 2")).isNotEqualTo(all);
  }
}
