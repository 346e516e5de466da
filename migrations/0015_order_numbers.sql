ALTER TABLE `orders` ADD `number` integer;--> statement-breakpoint
CREATE UNIQUE INDEX `orders_number` ON `orders` (`number`);
--> statement-breakpoint
UPDATE `orders` SET `number` = 1000 + `numbers`.`number` FROM (
  SELECT `id`, row_number() OVER (ORDER BY `created_at`, `id`) AS `number` FROM `orders`
) AS `numbers` WHERE `orders`.`id` = `numbers`.`id`;
--> statement-breakpoint
CREATE TRIGGER `orders_get_a_number` AFTER INSERT ON `orders`
BEGIN
  UPDATE `orders` SET `number` = (SELECT coalesce(max(`number`), 1000) + 1 FROM `orders`) WHERE `id` = NEW.`id`;
END;
--> statement-breakpoint
-- It stands in emails and on receipts. An insert that brings a number of its own is refused by this too.
CREATE TRIGGER `orders_keep_their_number` BEFORE UPDATE OF `number` ON `orders`
WHEN OLD.`number` IS NOT NULL AND NEW.`number` IS NOT OLD.`number`
BEGIN
  SELECT RAISE(ABORT, 'the number of an order never changes');
END;
