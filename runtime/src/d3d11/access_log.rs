//! Log of a driver's accesses to handle memory, recorded if the settings enable it.

use taut_schemas::{DriverHandle, HandleAccess, HandleMemory};

/// Forwards every access, and logs it. Adjacent accesses of one kind are merged into one entry.
pub(crate) struct AccessLog<'m> {
    pub memory: &'m mut dyn HandleMemory,
    pub accesses: Vec<HandleAccess>,
}

impl AccessLog<'_> {
    fn record(&mut self, address: u64, size_bytes: usize, is_write: bool) {
        let handle = self.memory.handle_at(address).unwrap_or_default();
        let offset_bytes = address - handle.0;
        let size_bytes = u32::try_from(size_bytes).unwrap_or(u32::MAX);
        // Drivers access memory in small adjacent pieces; merging keeps the log short.
        if let Some(last) = self.accesses.last_mut()
            && (last.handle, last.is_write) == (handle, is_write)
            && last.offset_bytes + u64::from(last.size_bytes) == offset_bytes
        {
            last.size_bytes = last.size_bytes.saturating_add(size_bytes);
            return;
        }
        self.accesses.push(HandleAccess { handle, offset_bytes, size_bytes, is_write });
    }
}

impl HandleMemory for AccessLog<'_> {
    fn read(&mut self, address: u64, bytes: &mut [u8]) {
        self.record(address, bytes.len(), false);
        self.memory.read(address, bytes);
    }

    fn handle_at(&self, address: u64) -> Option<DriverHandle> {
        self.memory.handle_at(address)
    }

    fn write(&mut self, address: u64, bytes: &[u8]) {
        self.record(address, bytes.len(), true);
        self.memory.write(address, bytes);
    }
}
