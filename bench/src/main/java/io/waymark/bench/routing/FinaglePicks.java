package io.waymark.bench.routing;

import com.twitter.finagle.Addresses;
import com.twitter.finagle.NoBrokersAvailableException;
import com.twitter.finagle.Service;
import com.twitter.finagle.ServiceFactory;
import com.twitter.finagle.Stack;
import com.twitter.finagle.loadbalancer.Balancers;
import com.twitter.finagle.loadbalancer.EndpointFactory;
import com.twitter.finagle.loadbalancer.LazyEndpointFactory;
import com.twitter.finagle.loadbalancer.LoadBalancerFactory;
import com.twitter.finagle.param.Stats;
import com.twitter.finagle.stats.NullStatsReceiver;
import com.twitter.finagle.util.Rng;
import com.twitter.util.Activity;
import com.twitter.util.Duration;
import com.twitter.util.Future;
import io.waymark.bench.Pairs;
import java.net.InetSocketAddress;
import java.util.stream.IntStream;
import scala.collection.immutable.IndexedSeq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Services of one of Finagle's balancers, each closed as soon as it is there. The endpoints have
 * their services at hand, and nothing is measured: what is left is the choice.
 */
final class FinaglePicks implements Pairs.Turn<RuntimeException> {
  private final ServiceFactory<String, String> balancer;

  private FinaglePicks(LoadBalancerFactory kind, int members) {
    Stack.Params params =
        Stack.Params$.MODULE$.empty().$plus(new Stats(NullStatsReceiver.get()), Stats.param());
    balancer =
        kind.newBalancer(
            Activity.value(endpoints(members)), new NoBrokersAvailableException("bench"), params);
  }

  /** Two choices by calls in flight. */
  static FinaglePicks leastLoaded(int members) {
    return new FinaglePicks(Balancers.p2c(Rng.threadLocal()), members);
  }

  /** Two choices by Peak EWMA, over the ten seconds that are its default. */
  static FinaglePicks peakEwma(int members) {
    return new FinaglePicks(
        Balancers.p2cPeakEwma(Duration.fromSeconds(10), Rng.threadLocal()), members);
  }

  private static IndexedSeq<EndpointFactory<String, String>> endpoints(int members) {
    return CollectionConverters.asScala(
            IntStream.range(0, members).mapToObj(FinaglePicks::endpoint).toList())
        .toVector();
  }

  private static EndpointFactory<String, String> endpoint(int number) {
    Service<String, String> service = Service.mk(Future::value);
    return new LazyEndpointFactory<>(
        () -> ServiceFactory.constant(service),
        Addresses.newInetAddress(InetSocketAddress.createUnresolved("shard-" + number, 80)));
  }

  @Override
  public int run(int calls) {
    int results = 0;
    for (int i = 0; i < calls; i++) {
      Service<String, String> service = balancer.apply().poll().get().get();
      results |= service == null ? 0 : 1;
      service.close();
    }
    return results;
  }
}
