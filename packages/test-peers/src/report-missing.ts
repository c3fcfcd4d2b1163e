/**
 * Makes peers ready and prints one JSON object: the reason for each peer that this machine cannot have.
 * @param peers makes a peer ready or rejects, by the name that test files have in their file names
 * @param names the peers to make ready; all when empty
 */
export const reportMissing = async (
  peers: Readonly<Record<string, () => Promise<unknown>>>,
  names: readonly string[],
): Promise<void> => {
  const missing: Record<string, string> = {};
  for (const [name, prepare] of Object.entries(peers)) {
    if (names.length > 0 && !names.includes(name)) continue;
    try {
      await prepare();
    } catch (error) {
      missing[name] = error instanceof Error ? error.message : String(error);
    }
  }
  process.stdout.write(`${JSON.stringify(missing)}\n`);
};
