package style

// preset is a style sheet to begin with.
type preset struct{ name, about, css string }

// presets are ours. No accent can be read on the pages of both themes, so each has two.
var presets = []preset{
	{"Plain", "The default, nothing set", ""},
	{"Crisp", "Square corners, thin lines, black and white", `:root {
  --primary-color: light-dark(#1b1b1f, #ececf1);
  --primary-font-color: light-dark(#ffffff, #1b1b1f);
  --border-focus-color: var(--primary-color);
  --input-border-color: #77777f;
  --input-border-radius: 2px;
  --button-border-radius: 2px;
  --message-border-radius: 2px;
  --checkbox-border-radius: 2px;
  --button-font-weight: 500;
}

.af-button {
  letter-spacing: 0.02em;
}
`},
	{"Soft", "Round corners, violet accent, roomy", `:root {
  --primary-color: light-dark(#6b3fc9, #b79bff);
  --primary-font-color: light-dark(#ffffff, #1d1033);
  --border-focus-color: var(--primary-color);
  --input-border-color: #8a80a0;
  --input-border-radius: 16px;
  --input-height: 50px;
  --input-padding: 12px 18px;
  --button-border-radius: 25px;
  --button-padding: 13px 28px;
  --message-border-radius: 16px;
  --checkbox-border-radius: 8px;
}

.af-step > * + * {
  margin-block-start: 26px;
}
`},
	{"Fresh", "Green accent, underlined fields", `:root {
  --primary-color: light-dark(#0f6f4c, #5fd0a0);
  --primary-font-color: light-dark(#ffffff, #06251a);
  --border-focus-color: var(--primary-color);
  --input-border-color: #6f827a;
  --input-border-radius: 0;
  --button-border-radius: 6px;
  --label-font-weight: 600;
}

.af-stringField-input,
.af-textField-input {
  border-width: 0 0 1px;
  padding-inline: 2px;
}
`},
	{"Compact", "Small fields and type for long forms", `:root {
  --font-size: 14px;
  --label-font-size: 13px;
  --hint-font-size: 12px;
  --input-font-size: 14px;
  --input-height: 36px;
  --input-padding: 6px 10px;
  --input-border-radius: 6px;
  --button-font-size: 14px;
  --button-padding: 8px 16px;
  --button-border-radius: 6px;
  --field-error-font-size: 12px;
  --legal-font-size: 13px;
}

.af-step > * + * {
  margin-block-start: 12px;
}
`},
	{"Strong", "High contrast, heavy lines, large type", `:root {
  --primary-color: light-dark(#00329e, #a3c2ff);
  --primary-font-color: light-dark(#ffffff, #00123d);
  --font-size: 18px;
  --label-font-size: 18px;
  --label-font-weight: 700;
  --hint-font-color: var(--font-color);
  --hint-font-size: 16px;
  --input-border-color: var(--font-color);
  --input-border-width: 2px;
  --input-font-size: 18px;
  --input-height: 52px;
  --border-focus-color: var(--primary-color);
  --button-font-size: 18px;
  --button-font-weight: 700;
  --field-error-font-size: 16px;
}
`},
}
