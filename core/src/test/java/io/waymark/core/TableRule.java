package io.waymark.core;

import java.util.function.Function;
import java.util.function.ToLongFunction;

/** A rule for tests: what it answers is given, member by member. */
record TableRule(String name, Function<Node, Answer> table, ToLongFunction<Node> near)
    implements Rule<Node, Object> {
  TableRule(String name, Function<Node, Answer> table) {
    this(name, table, node -> 0);
  }

  @Override
  public Answer ask(Node member, Object request) {
    return table.apply(member);
  }

  @Override
  public String explain(Node member, Object request) {
    return name + " stops " + member;
  }

  @Override
  public long nearness(Node member, Object request) {
    return near.applyAsLong(member);
  }

  @Override
  public String toString() {
    return name;
  }
}
