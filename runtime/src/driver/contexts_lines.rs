//! DDI functions of the driver model for objects and commands that need no code of their own: created objects store
//! their handle of the immediate context, recorded commands are counted and hashed.

/// Defines three functions per object: its private size, its creation and its destruction.
macro_rules! plain_objects {
    ($( $TYPE:ident: $calc:ident $Calc:ident, $create:ident $Create:ident, $destroy:ident $Destroy:ident; )*) => { $(
        fn $calc(&self, _: &ddi::$Calc) -> PrivateSize {
            self.object_bytes(HandleType::$TYPE)
        }

        fn $create(&self, memory: Memory<'_>, call: &ddi::$Create) {
            self.begin(memory, call.device, HandleType::$TYPE, &call.handle);
        }

        fn $destroy(&self, _: &ddi::$Destroy) {}
    )* };
}

/// Defines the same functions for views, which also store the handle of their resource if their memory has room for it.
macro_rules! view_objects {
    ($( $TYPE:ident: $calc:ident $Calc:ident, $create:ident $Create:ident, $destroy:ident $Destroy:ident; )*) => { $(
        fn $calc(&self, _: &ddi::$Calc) -> PrivateSize {
            self.object_bytes(HandleType::$TYPE)
        }

        fn $create(&self, memory: Memory<'_>, call: &ddi::$Create) {
            self.begin_view(memory, call.device, HandleType::$TYPE, &call.handle);
        }

        fn $destroy(&self, _: &ddi::$Destroy) {}
    )* };
}

/// Defines command functions, each with the values and the handles of its arguments.
macro_rules! plain_commands {
    ($( $method:ident $Name:ident($call:ident) $values:expr, $handles:expr; )*) => { $(
        fn $method(&self, memory: Memory<'_>, $call: &ddi::$Name) {
            let (values, handles): (Vec<u32>, Vec<DriverHandle>) = ($values, $handles);
            let values: Vec<u64> = values.into_iter().map(u64::from).collect();
            let objects: Vec<u64> = handles.iter().map(|handle| object(memory, *handle)).collect();
            let field_use = FieldUse { device: $call.device, line: ddi::$Name::ID };
            self.access_fields(memory, field_use, &handles, &objects);
            self.command(memory, $call.device, ddi::$Name::ID, &values, &objects);
        }
    )* };
}

/// Defines command functions whose arguments are views of one type; the viewed resources are hashed as well.
macro_rules! view_commands {
    ($( $method:ident $Name:ident($call:ident) $values:expr, $TYPE:ident $views:expr; )*) => { $(
        fn $method(&self, memory: Memory<'_>, $call: &ddi::$Name) {
            let (values, views): (Vec<u32>, Vec<DriverHandle>) = ($values, $views);
            let values: Vec<u64> = values.into_iter().map(u64::from).collect();
            let objects = self.resolve_views(memory, HandleType::$TYPE, &views);
            let field_use = FieldUse { device: $call.device, line: ddi::$Name::ID };
            self.access_fields(memory, field_use, &views, &views_alone(&objects));
            self.command(memory, $call.device, ddi::$Name::ID, &values, &objects);
        }
    )* };
}

pub(crate) use {plain_commands, plain_objects, view_commands, view_objects};
