package io.waymark.examples.email;

import java.io.IOException;

/** Sends emails: in a real program, a client of somebody's SMTP or HTTP server. */
@FunctionalInterface
public interface MailService {
  /** The address does not exist, and will not by trying again. */
  final class UnknownAddress extends Exception {
    private static final long serialVersionUID = 1;

    /** An address that nobody has. */
    public UnknownAddress(String address) {
      super("nobody has the address " + address);
    }
  }

  /**
   * Sends one.
   *
   * @param key names this email: one that comes again with the same key must not be sent twice
   * @throws UnknownAddress if trying again is of no use
   * @throws IOException if it may be of use
   */
  void send(String key, Email email) throws UnknownAddress, IOException;
}
