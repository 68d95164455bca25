//! The driver model's functions for objects and commands that are all alike: what is created keeps its handle of the immediate
//! context, and what is recorded is counted and mixed into the digest.

/// The three functions of each of these objects: how large its handle is, its creation, its end.
macro_rules! plain_objects {
    ($( $calc:ident $Calc:ident, $create:ident $Create:ident, $destroy:ident $Destroy:ident; )*) => { $(
        fn $calc(&self, _: &ddi::$Calc) -> PrivateSize {
            self.object_bytes()
        }

        fn $create(&self, memory: Memory<'_>, call: &ddi::$Create) {
            self.begin(memory, call.device, &call.handle);
        }

        fn $destroy(&self, _: &ddi::$Destroy) {}
    )* };
}

/// The same of views, which keep the handle of their resource where there is room for it.
macro_rules! view_objects {
    ($( $calc:ident $Calc:ident, $create:ident $Create:ident, $destroy:ident $Destroy:ident; )*) => { $(
        fn $calc(&self, _: &ddi::$Calc) -> PrivateSize {
            self.object_bytes()
        }

        fn $create(&self, memory: Memory<'_>, call: &ddi::$Create) {
            self.begin_view(memory, call.device, &call.handle);
        }

        fn $destroy(&self, _: &ddi::$Destroy) {}
    )* };
}

/// Commands: each with the numbers that it is given, and the handles.
macro_rules! plain_commands {
    ($( $method:ident $Name:ident($call:ident) $values:expr, $handles:expr; )*) => { $(
        fn $method(&self, memory: Memory<'_>, $call: &ddi::$Name) {
            let (values, handles): (Vec<u32>, Vec<DriverHandle>) = ($values, $handles);
            let values: Vec<u64> = values.into_iter().map(u64::from).collect();
            let objects: Vec<u64> = handles.iter().map(|handle| object(memory, *handle)).collect();
            self.command(memory, $call.device, ddi::$Name::ID, &values, &objects);
        }
    )* };
}

/// Commands that name views of a type: what these are of counts as well.
macro_rules! view_commands {
    ($( $method:ident $Name:ident($call:ident) $values:expr, $TYPE:ident $views:expr; )*) => { $(
        fn $method(&self, memory: Memory<'_>, $call: &ddi::$Name) {
            let (values, views): (Vec<u32>, Vec<DriverHandle>) = ($values, $views);
            let values: Vec<u64> = values.into_iter().map(u64::from).collect();
            let objects = self.viewed(memory, HandleType::$TYPE, &views);
            self.command(memory, $call.device, ddi::$Name::ID, &values, &objects);
        }
    )* };
}

pub(crate) use {plain_commands, plain_objects, view_commands, view_objects};
