package io.waymark;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Who may use whom: the modules of the architecture, by their packages. */
class ModuleTableTest {
  /** Packages that belong together, by the name under which the table lists them. */
  private static final Map<String, List<String>> PACKAGES =
      Map.ofEntries(
          Map.entry("core", List.of("io.waymark.core..")),
          Map.entry("testing", List.of("io.waymark.testing")),
          Map.entry("testing-postgres", List.of("io.waymark.testing.postgres..")),
          Map.entry("postgres", List.of("io.waymark.postgres..")),
          Map.entry("durable", List.of("io.waymark.durable..")),
          Map.entry("topology", List.of("io.waymark.topology..")),
          Map.entry("publish-postgres", List.of("io.waymark.publish.postgres..")),
          Map.entry("publish-redis", List.of("io.waymark.publish.redis..")),
          Map.entry("coordinator", List.of("io.waymark.coordinator..")),
          Map.entry("objects", List.of("io.waymark.objects..")),
          Map.entry("publish-etcd", List.of("io.waymark.publish.etcd..")),
          Map.entry("cli", List.of("io.waymark.cli..")),
          Map.entry(
              "jdk", List.of("java..", "javax.sql..", "javax.xml..", "org.w3c.dom..", "org.xml..")),
          Map.entry("slf4j", List.of("org.slf4j..")),
          Map.entry("jspecify", List.of("org.jspecify..")),
          Map.entry("hikari", List.of("com.zaxxer.hikari..")),
          Map.entry("pgjdbc", List.of("org.postgresql..")),
          Map.entry("jdbi", List.of("org.jdbi.v3.core..")),
          Map.entry("jackson", List.of("tools.jackson..")),
          Map.entry("jetcd", List.of("io.etcd.jetcd..")),
          Map.entry("lettuce", List.of("io.lettuce..", "io.netty..")),
          Map.entry("compress", List.of("org.apache.commons.compress..")),
          Map.entry("xz", List.of("org.tukaani.xz..")),
          Map.entry("junit", List.of("org.junit.jupiter.api..")));

  private static final Map<String, Set<String>> TABLE =
      Map.ofEntries(
          Map.entry("core", Set.of("slf4j")),
          Map.entry("testing", Set.of("junit")),
          Map.entry(
              "testing-postgres", Set.of("testing", "pgjdbc", "compress", "xz", "slf4j", "junit")),
          Map.entry("postgres", Set.of("core", "hikari", "pgjdbc", "slf4j")),
          Map.entry("durable", Set.of("core", "jdbi", "jackson", "pgjdbc", "slf4j")),
          Map.entry("topology", Set.of("core", "jackson", "slf4j")),
          Map.entry("publish-postgres", Set.of("topology", "core", "pgjdbc", "slf4j")),
          Map.entry("publish-redis", Set.of("topology", "core", "lettuce", "slf4j")),
          Map.entry(
              "coordinator", Set.of("core", "topology", "durable", "jdbi", "jackson", "slf4j")),
          Map.entry("objects", Set.of("core", "durable", "jdbi", "slf4j")),
          Map.entry("publish-etcd", Set.of("topology", "core", "jetcd", "slf4j")));

  private static final Set<String> FORBIDDEN_NAMES = Set.of("util", "common", "impl", "helper");

  private static final JavaClasses WAYMARK =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .withImportOption(location -> !location.contains("-tests.jar"))
          .importPackages("io.waymark");

  static Stream<String> modules() {
    return TABLE.keySet().stream().sorted();
  }

  @ParameterizedTest
  @MethodSource("modules")
  void aModuleUsesWhatTheTableAllows(String module) {
    rule(module, mayUse(module)).check(WAYMARK);
  }

  @ParameterizedTest
  @CsvSource({
    "core, slf4j",
    "testing-postgres, testing",
    "testing-postgres, compress",
    "postgres, pgjdbc",
    "postgres, core",
    "postgres, hikari",
    "durable, core",
    "durable, jdbi",
    "durable, jackson",
    "durable, pgjdbc",
    "topology, core",
    "topology, jackson",
    "publish-postgres, topology",
    "publish-postgres, pgjdbc",
    "publish-redis, topology",
    "publish-redis, lettuce",
    "coordinator, topology",
    "coordinator, durable",
    "coordinator, jdbi",
    "objects, durable",
    "objects, jdbi",
    "publish-etcd, topology",
    "publish-etcd, jetcd"
  })
  void anArrowThatIsNotInTheTableIsCaught(String from, String to) {
    Set<String> withoutIt =
        mayUse(from).stream().filter(each -> !each.equals(to)).collect(Collectors.toSet());

    assertThat(rule(from, withoutIt).evaluate(WAYMARK).hasViolation()).isTrue();
  }

  @Test
  void nobodyUsesTheCommandLine() {
    for (Map.Entry<String, Set<String>> row : TABLE.entrySet()) {
      assertThat(row.getValue()).as(row.getKey()).doesNotContain("cli");
    }
  }

  @Test
  void everyClassBelongsToOneModule() {
    List<String> modules = new ArrayList<>(TABLE.keySet());
    modules.add("cli");

    for (JavaClass each : WAYMARK) {
      assertThat(modules.stream().filter(module -> isIn(module, each)))
          .as(each.getName())
          .hasSize(1);
    }
  }

  @Test
  void packagesDoNotUseEachOtherInCircles() {
    slices().matching("io.waymark.(**)").should().beFreeOfCycles().check(WAYMARK);
  }

  @Test
  void circlesAreCaught() {
    // A package of another project that is known to have one with its own subpackage.
    JavaClasses circle = new ClassFileImporter().importPackages("com.tngtech.archunit.core.domain");

    assertThat(
            slices()
                .matching("com.tngtech.archunit.core.(**)")
                .should()
                .beFreeOfCycles()
                .evaluate(circle)
                .hasViolation())
        .isTrue();
  }

  @Test
  void noPackageHasANameThatSaysNothing() {
    assertThat(packages().keySet()).noneMatch(ModuleTableTest::saysNothing);
    assertThat(saysNothing("io.waymark.core.util")).isTrue();
    assertThat(saysNothing("io.waymark.utility")).isFalse();
  }

  @Test
  void everyPackageSaysThatNothingIsNull() throws ClassNotFoundException {
    assertThat(packages()).hasSizeGreaterThanOrEqualTo(TABLE.size());
    for (String name : packages().keySet()) {
      assertThat(Class.forName(name + ".package-info").isAnnotationPresent(NullMarked.class))
          .as(name)
          .isTrue();
    }
  }

  private static Set<String> mayUse(String module) {
    return Objects.requireNonNull(TABLE.get(module), module);
  }

  private static List<String> packagesOf(String name) {
    return Objects.requireNonNull(PACKAGES.get(name), name);
  }

  private static boolean saysNothing(String name) {
    return Stream.of(name.split("\\.")).anyMatch(FORBIDDEN_NAMES::contains);
  }

  private static Map<String, Long> packages() {
    return WAYMARK.stream()
        .collect(
            Collectors.groupingBy(JavaClass::getPackageName, TreeMap::new, Collectors.counting()));
  }

  private static ArchRule rule(String module, Set<String> mayUse) {
    String[] allowed =
        Stream.concat(Stream.of(module, "jdk", "jspecify"), mayUse.stream())
            .flatMap(each -> packagesOf(each).stream())
            .toArray(String[]::new);
    return classes()
        .that(describe("are in " + module, each -> isIn(module, each)))
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(allowed);
  }

  private static boolean isIn(String module, JavaClass each) {
    return JavaClass.Predicates.resideInAnyPackage(packagesOf(module).toArray(String[]::new))
        .test(each);
  }
}
