package io.waymark.topology.routing;

import io.waymark.core.LoadSnapshot;
import java.util.AbstractMap;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a rule of the application's sees of the loads: cannot be changed. A look-up costs a look-up,
 * however many shards there are; only who walks through all pays for all, with a copy of his own.
 */
final class LoadsView extends AbstractMap<String, LoadSnapshot> {
  private final SeenLoads loads;
  private @Nullable Map<String, LoadSnapshot> copy;

  LoadsView(SeenLoads loads) {
    this.loads = loads;
  }

  @Override
  public @Nullable LoadSnapshot get(Object shard) {
    return shard instanceof String name ? loads.get(name) : null;
  }

  @Override
  public boolean containsKey(Object shard) {
    return get(shard) != null;
  }

  @Override
  public Set<Entry<String, LoadSnapshot>> entrySet() {
    Map<String, LoadSnapshot> all = copy;
    if (all == null) {
      all = Collections.unmodifiableMap(loads.all());
      copy = all;
    }
    return all.entrySet();
  }
}
