/**
 * Published groups in etcd 3.4 or newer: {@link io.waymark.publish.etcd.EtcdSnapshots} reads them
 * and {@link io.waymark.publish.etcd.EtcdPublisher} writes them. Readers do not need the
 * coordinator.
 */
@NullMarked
package io.waymark.publish.etcd;

import org.jspecify.annotations.NullMarked;
