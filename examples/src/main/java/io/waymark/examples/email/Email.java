package io.waymark.examples.email;

/**
 * What is sent.
 *
 * @param customer on whose behalf
 * @param to where to
 * @param text what it says
 */
public record Email(String customer, String to, String text) {}
