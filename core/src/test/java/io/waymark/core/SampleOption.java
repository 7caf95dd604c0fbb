package io.waymark.core;

/** Options to test the machinery of options with. */
record SampleOption(String path, String defaultText, Tier tier, boolean secret) implements Option {
  static final SampleOption OPEN = new SampleOption("some.path", "1s", Tier.FREQUENT, false);
  static final SampleOption SECRET = new SampleOption("some.secret", "", Tier.ESSENTIAL, true);
  static final SampleOption LISTED = new SampleOption("parts[i].size", "", Tier.RARE, false);

  @Override
  public String accepted() {
    return "\"this\" | that";
  }

  @Override
  public String description() {
    return "Does a thing.";
  }

  @Override
  public String reason() {
    return secret ? "" : "Because.";
  }
}
