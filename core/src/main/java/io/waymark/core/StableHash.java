package io.waymark.core;

/**
 * Hashes that are the same in every process and every version, for what processes must agree on
 * without talking. They spread well and resist nobody: not for keys that an adversary chooses.
 */
public final class StableHash {
  private StableHash() {}

  /**
   * The hash of a text: FNV-1a over its chars, finished by {@link #mixed}, so that texts that
   * differ little are spread. Allocates nothing.
   */
  public static long of(CharSequence text) {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
    }
    return mixed(hash);
  }

  /**
   * A number for each number, no two the same, and near ones far apart: the finalizer of
   * MurmurHash3 (Austin Appleby).
   */
  public static long mixed(long value) {
    long hash = (value ^ (value >>> 33)) * 0xff51afd7ed558ccdL;
    hash = (hash ^ (hash >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return hash ^ (hash >>> 33);
  }
}
