#!/usr/bin/env node
/** `pnpm --filter @gateway/charts package`: writes `dist/<chart>-<version>.tgz` of every chart that is installed. */
import { join, relative } from 'node:path';
import { packageCharts } from '../src/assemble-charts.ts';

const target = join(import.meta.dirname, '../dist');
for (const { file } of await packageCharts(target))
  process.stdout.write(`${relative(process.cwd(), file)}\n`);
