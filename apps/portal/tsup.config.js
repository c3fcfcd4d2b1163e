import { defineConfig } from 'tsup';
import program from '../../packages/repo-checks/tsup.program.js';

/** The web application is part of the program: its build is copied to `dist/web`. */
export default defineConfig({ ...program, publicDir: '../../packages/portal-web/dist' });
