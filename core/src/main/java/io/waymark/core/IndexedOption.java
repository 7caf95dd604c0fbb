package io.waymark.core;

/** An option of one element of a list; see {@link Option#at}. */
record IndexedOption(Option option, int index) implements Option {
  @Override
  public String path() {
    return option.path().replace("[i]", "[" + index + "]");
  }

  @Override
  public String defaultText() {
    return option.defaultText();
  }

  @Override
  public String accepted() {
    return option.accepted();
  }

  @Override
  public String description() {
    return option.description();
  }

  @Override
  public String reason() {
    return option.reason();
  }

  @Override
  public Tier tier() {
    return option.tier();
  }

  @Override
  public boolean secret() {
    return option.secret();
  }
}
