/** The standard variables of MCP Apps (*Theming*) that the editor has a colour or a font for. */
const FROM_EDITOR: Readonly<Record<string, string>> = {
  '--color-background-primary': 'editor-background',
  '--color-background-secondary': 'sideBar-background',
  '--color-background-tertiary': 'activityBar-background',
  '--color-background-inverse': 'editor-foreground',
  '--color-background-info': 'inputValidation-infoBackground',
  '--color-background-danger': 'inputValidation-errorBackground',
  '--color-background-success': 'diffEditor-insertedTextBackground',
  '--color-background-warning': 'inputValidation-warningBackground',
  '--color-background-disabled': 'editor-inactiveSelectionBackground',
  '--color-text-primary': 'foreground',
  '--color-text-secondary': 'descriptionForeground',
  '--color-text-tertiary': 'disabledForeground',
  '--color-text-inverse': 'editor-background',
  '--color-text-info': 'textLink-foreground',
  '--color-text-danger': 'errorForeground',
  '--color-text-success': 'testing-iconPassed',
  '--color-text-warning': 'editorWarning-foreground',
  '--color-text-disabled': 'disabledForeground',
  '--color-text-ghost': 'descriptionForeground',
  '--color-border-primary': 'widget-border',
  '--color-border-secondary': 'editorWidget-border',
  '--color-border-tertiary': 'panel-border',
  '--color-border-inverse': 'foreground',
  '--color-border-info': 'inputValidation-infoBorder',
  '--color-border-danger': 'inputValidation-errorBorder',
  '--color-border-success': 'testing-iconPassed',
  '--color-border-warning': 'inputValidation-warningBorder',
  '--color-border-disabled': 'disabledForeground',
  '--color-ring-primary': 'focusBorder',
  '--color-ring-secondary': 'focusBorder',
  '--font-sans': 'font-family',
  '--font-mono': 'editor-font-family',
  '--font-text-md-size': 'font-size',
};

/** Values, since the page is a document of its own and has none of the editor's variables. */
export function themeVariables(style: CSSStyleDeclaration): Readonly<Record<string, string>> {
  const pairs = Object.entries(FROM_EDITOR).map(
    ([name, own]) => [name, style.getPropertyValue(`--vscode-${own}`).trim()] as const,
  );
  return Object.fromEntries(pairs.filter(([, value]) => value !== ''));
}
