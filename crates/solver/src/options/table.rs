//! What is made of a row of the option table: a field with its default, a setter, and a row that reads text.
//!
//! A row says, in this order: field, type, default; how a program sets it (`plain`: any value, brought into
//! its range; `named`: by name, which may be unknown; `limit`: a number or none); the kind of its values;
//! whether it is for `everyday` use or for `research`; name, placeholder and help.

/// Makes [`Settings`](super::Settings), [`SettingsBuilder`](super::SettingsBuilder) and the table of rows.
macro_rules! options {
    ($($(#[$attribute:meta])* $field:ident: $type:ty = $default:expr, $setter:ident by $kind:expr,
        $use:ident $name:literal $placeholder:literal $help:literal;)*) => {
        /// How a solver works: the values of the options in [`OPTIONS`], which say what each is.
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub struct Settings {
            $($(#[$attribute])* #[doc = $help] pub(crate) $field: $type,)*
        }

        impl Default for Settings {
            fn default() -> Settings {
                Settings { $($(#[$attribute])* $field: $default,)* }
            }
        }

        /// The option table.
        pub static OPTIONS: &[OptionRow] = &[$(
            $(#[$attribute])*
            OptionRow {
                name: $name,
                placeholder: $placeholder,
                help: $help,
                is_research: options!(@is_research $use),
                set: |settings, text| {
                    settings.$field = $kind.read(text)?;
                    Ok(())
                },
                get: |settings| $kind.print(&settings.$field),
            },
        )*];

        impl SettingsBuilder {
            $($(#[$attribute])* options!(@$setter $field: $type, $kind, $name, $help);)*
        }
    };

    (@is_research everyday) => { false };
    (@is_research research) => { true };

    (@plain $field:ident: $type:ty, $kind:expr, $name:literal, $help:literal) => {
        #[doc = $help]
        pub fn $field(mut self, $field: $type) -> SettingsBuilder {
            self.settings.$field = $kind.nearest($field);
            self
        }
    };
    (@named $field:ident: $type:ty, $kind:expr, $name:literal, $help:literal) => {
        #[doc = $help]
        ///
        /// # Errors
        ///
        /// When there is none of this name.
        pub fn $field(self, name: &str) -> Result<SettingsBuilder, OptionError> {
            self.set($name, name)
        }
    };
    (@limit $field:ident: $type:ty, $kind:expr, $name:literal, $help:literal) => {
        #[doc = $help]
        pub fn $field(mut self, $field: impl Into<Option<u64>>) -> SettingsBuilder {
            self.settings.$field = $kind.nearest($field.into());
            self
        }
    };
}
