package io.waymark.durable;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A named set of numbered DDL files, with one file of each name for every database. The files are
 * resources in the folders {@code schema/sqlite} and {@code schema/postgres} next to a class. In a
 * file every statement ends with a semicolon at the end of a line, and <code>{s}</code> stands
 * before names of tables: the schema, where one was chosen. A file that was published is never
 * changed. Immutable.
 */
public final class Migrations {
  private static final Pattern FILE = Pattern.compile("([0-9]{4})_[a-z0-9_]+\\.sql");
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]{0,62}");

  /** One file of a set. */
  record Step(int number, String file, String text) {}

  private final String name;
  private final Class<?> anchor;
  private final List<String> files;

  private Migrations(String name, Class<?> anchor, List<String> files) {
    this.name = name;
    this.anchor = anchor;
    this.files = files;
  }

  /**
   * A set.
   *
   * @param name under which the store remembers what was applied: lower-case letters, digits and
   *     {@code _}
   * @param anchor the class next to which the folders lie
   * @param files such as {@code 0001_tables.sql}, numbered from 1 without a gap
   * @throws IllegalArgumentException if a name or the numbering is anything else
   */
  public static Migrations of(String name, Class<?> anchor, String... files) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "the name of a set of migrations must be lower-case letters, digits and _: " + name);
    }
    for (int i = 0; i < files.length; i++) {
      Matcher file = FILE.matcher(files[i]);
      if (!file.matches() || Integer.parseInt(file.group(1)) != i + 1) {
        throw new IllegalArgumentException(
            "file "
                + (i + 1)
                + " of "
                + name
                + " is called "
                + files[i]
                + ", expected "
                + String.format("%04d_words.sql", i + 1));
      }
    }
    return new Migrations(name, anchor, List.of(files));
  }

  /** The name of the set. */
  public String name() {
    return name;
  }

  /** The steps for one kind of database, read from the resources. */
  List<Step> steps(Dialect dialect) {
    List<Step> steps = new ArrayList<>();
    for (String file : files) {
      steps.add(new Step(steps.size() + 1, file, read("schema/" + dialect.folder() + "/" + file)));
    }
    return steps;
  }

  private String read(String resource) {
    try (InputStream in = anchor.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalArgumentException(
            "no resource " + resource + " next to " + anchor.getName() + " for " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
