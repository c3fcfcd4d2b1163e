import { readdirSync, readFileSync } from 'node:fs';

/** Whether this build knows `--workers`. */
export const measureWorkers = async () => [];
