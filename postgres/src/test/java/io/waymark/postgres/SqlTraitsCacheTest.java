package io.waymark.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class SqlTraitsCacheTest {

  @Test
  void aTextIsScannedOnceWhileItIsKept() {
    SqlTraitsCache cache = new SqlTraitsCache(16, 100);

    SqlTraits first = cache.get("select 1 for update");

    assertThat(cache.get(String.join(" ", "select", "1", "for", "update"))).isSameAs(first);
    assertThat(first.locking()).isTrue();
  }

  @Test
  void neverHoldsMoreThanItsCapacity() {
    SqlTraitsCache cache = new SqlTraitsCache(16, 100);

    for (int i = 0; i < 1000; i++) {
      assertThat(cache.get("insert into t values (" + i + ")").knownWrite()).isTrue();
    }

    assertThat(cache.size()).isEqualTo(16);
  }

  @Test
  void textsOfOneHashDoNotAnswerForEachOther() {
    SqlTraitsCache cache = new SqlTraitsCache(2, 100);
    List<String> sameHash = List.of("select 'AaAa'", "select 'BBBB'", "select 'AaBB'");
    assertThat(sameHash).extracting(String::hashCode).containsOnly(sameHash.get(0).hashCode());

    for (int round = 0; round < 3; round++) {
      for (String sql : sameHash) {
        assertThat(cache.get(sql + " for update").locking()).isTrue();
        assertThat(cache.get(sql).locking()).isFalse();
      }
    }
  }

  @Test
  void twoTextsOfOneSetStayTogether() {
    SqlTraitsCache cache = new SqlTraitsCache(2, 100);

    SqlTraits one = cache.get("select 'Aa'");
    SqlTraits two = cache.get("select 'BB'");

    assertThat(cache.get("select 'Aa'")).isSameAs(one);
    assertThat(cache.get("select 'BB'")).isSameAs(two);
  }

  @Test
  void longTextsAreNotKept() {
    SqlTraitsCache cache = new SqlTraitsCache(16, 20);

    assertThat(cache.get("select 12345678901234567890 for update").locking()).isTrue();

    assertThat(cache.size()).isZero();
  }

  @Test
  void refusesACapacityThatIsNoPowerOfTwo() {
    assertThatThrownBy(() -> new SqlTraitsCache(12, 20))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("12");
  }

  @Test
  void threadsThatDisplaceEachOtherStillGetRightAnswers() throws Exception {
    SqlTraitsCache cache = new SqlTraitsCache(4, 100);
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Future<Integer>> wrong = new ArrayList<>();
      for (int thread = 0; thread < 4; thread++) {
        int offset = thread;
        wrong.add(threads.submit(() -> wrongAnswers(cache, offset)));
      }
      for (Future<Integer> each : wrong) {
        assertThat(each.get()).isZero();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static int wrongAnswers(SqlTraitsCache cache, int offset) {
    int wrong = 0;
    for (int i = 0; i < 20_000; i++) {
      int n = (i + offset) % 12;
      boolean locks = n % 2 == 0;
      String sql = "select " + n + (locks ? " for update" : "");
      wrong += cache.get(sql).locking() == locks ? 0 : 1;
    }
    return wrong;
  }
}
