package io.waymark.core;

/**
 * One member as one view sees it: immutable, with a reference to the {@link Vitals} that all views
 * of this member share.
 *
 * <p>A member is known by its name. Its ordinal is its place in the order of configuration; it
 * stays the same for as long as the member exists and no two members of one source share it. Views
 * list their members by ascending ordinal. A source whose members come and go gives the ordinals of
 * those that went to those that come: memory is kept up to the largest.
 */
public interface Member {
  /** The unique name, as it appears in reasons and metrics. */
  String name();

  /** The place in the order of configuration, from 0. */
  int ordinal();

  /** The configured weight: positive and finite. */
  double weight();

  /** What changes on every call to this member. */
  Vitals vitals();
}
