/** The first words of the command lines that `runServingCli` runs. */
export const SERVING_WORDS: readonly string[] = ['serve', 'stdio'];
