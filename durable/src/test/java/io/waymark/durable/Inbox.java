package io.waymark.durable;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/** A receiver that keeps everything that arrives, in the order of arrival. */
final class Inbox implements DeliveryHandler<String> {
  /** One arrival. */
  record Arrival(String key, String value, long version, int attempt) {}

  private final List<Arrival> arrivals = new CopyOnWriteArrayList<>();

  @Override
  public Receipt deliver(Delivery<String> delivery) {
    arrivals.add(
        new Arrival(delivery.key(), delivery.value(), delivery.version(), delivery.attempt()));
    return Receipt.delivered();
  }

  List<Arrival> arrivals() {
    return new ArrayList<>(arrivals);
  }

  /** The values that arrived for a key. */
  List<String> of(String key) {
    return arrivals.stream()
        .filter(each -> each.key().equals(key))
        .map(Arrival::value)
        .collect(Collectors.toList());
  }
}
