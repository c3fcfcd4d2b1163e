/** Measures the processor time of each turn of the event loop, in milliseconds; stopped, returns them, longest first. */
export const measureTurns = (): (() => Promise<readonly number[]>) => {
  const turns: number[] = [];
  let isStopped = false;
  const measure = async (): Promise<void> => {
    while (!isStopped) {
      const before = process.threadCpuUsage();
      await new Promise((resolve) => setImmediate(resolve));
      const { user, system } = process.threadCpuUsage(before);
      turns.push((user + system) / 1_000);
    }
  };
  const measured = measure();
  return async () => {
    isStopped = true;
    await measured;
    return turns.sort((a, b) => b - a);
  };
};
