package io.waymark.core;

import java.util.List;
import java.util.Locale;

/** Documentation of options, made from the options themselves. */
public final class OptionDocs {
  private OptionDocs() {}

  /**
   * A Markdown section with a table for each tier that has options: path, default, accepted values,
   * what the option does and why its default is what it is. Options keep their order.
   *
   * @param level how many {@code #} a section's heading has
   */
  public static String markdown(List<? extends Option> options, int level) {
    StringBuilder page = new StringBuilder();
    for (Option.Tier tier : Option.Tier.values()) {
      List<? extends Option> some = options.stream().filter(o -> o.tier() == tier).toList();
      if (!some.isEmpty()) {
        page.append(page.isEmpty() ? "" : "\n");
        page.append("#".repeat(level)).append(' ').append(heading(tier)).append("\n\n");
        page.append("| Option | Default | Accepted | What it does | Why the default |\n");
        page.append("| --- | --- | --- | --- | --- |\n");
        some.forEach(option -> page.append(row(option)));
      }
    }
    return page.toString();
  }

  private static String heading(Option.Tier tier) {
    String name = tier.name();
    return name.charAt(0) + name.substring(1).toLowerCase(Locale.ROOT);
  }

  private static String row(Option option) {
    String initial = option.defaultText().isEmpty() ? "–" : code(option.defaultText());
    return "| "
        + String.join(
            " | ",
            code(option.path()),
            initial,
            cell(option.accepted()),
            cell(option.description()),
            cell(option.reason()))
        + " |\n";
  }

  private static String code(String text) {
    return "`" + cell(text) + "`";
  }

  private static String cell(String text) {
    return text.replace("|", "\\|").replace('\n', ' ');
  }
}
