package io.waymark.objects;

import io.waymark.durable.DurableStore;
import java.util.Optional;

/**
 * What an object is made from.
 *
 * @param name of the object
 * @param store its own: nobody else has its tables. It is opened before the object is made and
 *     closed after the object; on PostgreSQL every transaction of it is refused once another
 *     process has taken the name over
 * @param placement the hint that the name was first used with; later ones change nothing
 */
public record ObjectContext(String name, DurableStore store, Optional<String> placement) {}
