import { mkdtemp, rm } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'tsup';

/**
 * Prints the quality of the search over the labelled queries of `data`. It is compiled from the sources.
 */

const root = fileURLToPath(new URL('..', import.meta.url));
const outDir = await mkdtemp(`${root}compiled-`);
try {
  await build({
    entry: { quality: `${root}bench/search-quality.ts` },
    outDir,
    format: 'esm',
    platform: 'node',
    config: false,
    silent: true,
    dts: false,
    esbuildOptions(options) {
      options.conditions = ['@gateway/source'];
    },
  });
  const quality = await import(pathToFileURL(`${outDir}/quality.js`).href);
  print(quality);
} finally {
  await rm(outDir, { recursive: true });
}

function print({ developmentFigures, referenceFigures }) {
  const row = ({ queries, at1, at5, at10, reciprocalRank }) => ({
    queries,
    'recall@1': at1.toFixed(3),
    'recall@5': at5.toFixed(3),
    'recall@10': at10.toFixed(3),
    MRR: reciprocalRank.toFixed(3),
  });
  const reference = {
    'relevance 2': referenceFigures(2),
    'relevance 1 and 2': referenceFigures(1),
  };
  const rowsOf = (entries) =>
    Object.fromEntries(entries.map(([name, figures]) => [name, row(figures)]));
  console.log('Development set and tasks: any acceptable tool among the first');
  console.table(rowsOf([...developmentFigures()]));
  console.log('Reference set: share of the acceptable tools among the first');
  console.table(rowsOf(Object.entries(reference)));
}
