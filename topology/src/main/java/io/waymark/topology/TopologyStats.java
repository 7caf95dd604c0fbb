package io.waymark.topology;

import java.util.Map;

/**
 * What a client has done since it was built; for meters, which read it when they are asked.
 *
 * @param reads reads of the store
 * @param failures reads that gave nothing to serve, by reason; every reason has its count
 * @param fallbacks calls in which something stood in, by source; every source has its count
 * @param older answers of the store that were older than what had been seen, and were not taken
 * @param pushes changes that the store told of
 * @param groups groups that are kept now
 * @param groupEvictions groups that had to make room
 * @param highWaterEvictions groups whose highest stamp was forgotten to make room: an older
 *     snapshot of theirs would be taken
 */
public record TopologyStats(
    long reads,
    Map<UnavailableReason, Long> failures,
    Map<FallbackEvent.Source, Long> fallbacks,
    long older,
    long pushes,
    int groups,
    long groupEvictions,
    long highWaterEvictions) {}
