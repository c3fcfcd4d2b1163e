export { formatProblemText } from './format/format-problem.ts';
export {
  parseRegistry,
  type RegistryDocument,
  type RegistryServer,
} from './format/parse-registry.ts';
export type { Answers } from './inputs/resolve-input.ts';
export { questionsOf, type Question } from './inputs/setting.ts';
export { chooseWay, planInstall, type InstallPlan } from './install/plan-install.ts';
export { installWays, type InstallWay } from './packages/install-ways.ts';
export { INSTALL_KINDS } from './problems/install-kind.ts';
export {
  installNoteText,
  installProblemText,
  type InstallProblem,
} from './problems/install-problem.ts';
export { chooseVersion } from './search/choose-version.ts';
export { queryWords, searchServers } from './search/search-servers.ts';
