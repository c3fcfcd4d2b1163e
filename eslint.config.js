export { default } from '@gateway/repo-checks/eslint';
