/**
 * An email queue: each customer has a mailbox, which hands every email to a consumer and to an
 * archive, and keeps aside what the consumer refuses.
 */
@NullMarked
package io.waymark.examples.email;

import org.jspecify.annotations.NullMarked;
