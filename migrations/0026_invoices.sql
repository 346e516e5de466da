CREATE TABLE `sellers` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`address` text NOT NULL,
	`vat_number` text,
	`vat_rate` integer NOT NULL,
	`created_at` integer NOT NULL,
	CONSTRAINT "sellers_vat_rate" CHECK("sellers"."vat_rate" BETWEEN 0 AND 9999)
) STRICT;
--> statement-breakpoint
CREATE TABLE `invoices` (
	`order_id` text PRIMARY KEY NOT NULL,
	`series` integer NOT NULL,
	`number` integer NOT NULL,
	`issued_at` integer NOT NULL,
	`seller_id` integer,
	`buyer_name` text NOT NULL,
	`buyer_address` text NOT NULL,
	`company` text,
	`vat_number` text,
	`purchase_order` text,
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`seller_id`) REFERENCES `sellers`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `invoices_number` ON `invoices` (`series`,`number`);--> statement-breakpoint
CREATE INDEX `invoices_without_seller` ON `invoices` (`seller_id`) WHERE "invoices"."seller_id" IS NULL;--> statement-breakpoint
CREATE TABLE `credit_notes` (
	`series` integer NOT NULL,
	`number` integer NOT NULL,
	`order_id` text NOT NULL,
	`order_refund_id` text NOT NULL,
	`is_reversal` integer NOT NULL,
	`amount_cents` integer NOT NULL,
	`issued_at` integer NOT NULL,
	PRIMARY KEY(`series`, `number`),
	FOREIGN KEY (`order_id`) REFERENCES `invoices`(`order_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`order_refund_id`) REFERENCES `order_refunds`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "credit_notes_reversal" CHECK("credit_notes"."is_reversal" IN (0, 1)),
	CONSTRAINT "credit_notes_amount" CHECK("credit_notes"."amount_cents" <> 0 AND ("credit_notes"."amount_cents" < 0) = "credit_notes"."is_reversal")
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `credit_notes_once` ON `credit_notes` (`order_refund_id`,`is_reversal`);--> statement-breakpoint
CREATE INDEX `credit_notes_of_order` ON `credit_notes` (`order_id`,`series`,`number`);--> statement-breakpoint
ALTER TABLE `orders` ADD `company` text
  CONSTRAINT "orders_company" CHECK(length("company") BETWEEN 1 AND 100);--> statement-breakpoint
ALTER TABLE `orders` ADD `vat_number` text
  CONSTRAINT "orders_vat_number" CHECK(length("vat_number") BETWEEN 4 AND 30);--> statement-breakpoint
ALTER TABLE `orders` ADD `purchase_order` text
  CONSTRAINT "orders_purchase_order" CHECK(length("purchase_order") BETWEEN 1 AND 60);--> statement-breakpoint
ALTER TABLE `shop_settings` ADD `invoice_series` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `shop_settings` ADD `invoices_after` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE `shop_settings` SET `invoices_after` = (SELECT coalesce(max(`id`), 0) FROM `audit_log`);
--> statement-breakpoint
-- In the statement that makes the order paid, whoever writes it: the number is taken back with that statement, so it leaves no gap, and
-- writers wait for each other, so that no two get the same.
CREATE TRIGGER `orders_get_an_invoice` AFTER UPDATE OF `state` ON `orders` WHEN NEW.`state` = 'paid'
BEGIN
  INSERT INTO `invoices` (`series`, `number`, `order_id`, `issued_at`, `seller_id`, `buyer_name`, `buyer_address`, `company`, `vat_number`, `purchase_order`)
    SELECT `current`.`series`, 1 + (SELECT coalesce(max(`number`), 0) FROM `invoices` WHERE `invoices`.`series` = `current`.`series`),
      NEW.`id`, NEW.`paid_at`, (SELECT max(`id`) FROM `sellers`),
      NEW.`customer_name`, NEW.`customer_address`, NEW.`company`, NEW.`vat_number`, NEW.`purchase_order`
    FROM (SELECT coalesce(max(`invoice_series`), 1) AS `series` FROM `shop_settings`) AS `current`;
END;
--> statement-breakpoint
-- Each way to make a refund ends in this row of the audit log, once; one of an order from before the invoices has nothing to correct.
CREATE TRIGGER `audit_log_issues_credit_notes` AFTER INSERT ON `audit_log` WHEN NEW.`event` = 'refund made'
BEGIN
  INSERT INTO `credit_notes` (`series`, `number`, `order_id`, `order_refund_id`, `is_reversal`, `amount_cents`, `issued_at`)
    SELECT `current`.`series`, 1 + (SELECT coalesce(max(`number`), 0) FROM `credit_notes` WHERE `credit_notes`.`series` = `current`.`series`),
      `order_refunds`.`order_id`, `order_refunds`.`id`, 0, `amount_cents`, NEW.`at`
    FROM `order_refunds` JOIN `invoices` ON `invoices`.`order_id` = `order_refunds`.`order_id`
      JOIN (SELECT coalesce(max(`invoice_series`), 1) AS `series` FROM `shop_settings`) AS `current`
    WHERE `order_refunds`.`id` = NEW.`note`;
END;
--> statement-breakpoint
CREATE TRIGGER `order_refunds_reverse_credit_notes` AFTER UPDATE OF `failed_at` ON `order_refunds`
WHEN OLD.`failed_at` IS NULL AND NEW.`failed_at` IS NOT NULL
BEGIN
  INSERT INTO `credit_notes` (`series`, `number`, `order_id`, `order_refund_id`, `is_reversal`, `amount_cents`, `issued_at`)
    SELECT `current`.`series`, 1 + (SELECT coalesce(max(`number`), 0) FROM `credit_notes` AS `all` WHERE `all`.`series` = `current`.`series`),
      `order_id`, `order_refund_id`, 1, -`amount_cents`, NEW.`failed_at`
    FROM `credit_notes` JOIN (SELECT coalesce(max(`invoice_series`), 1) AS `series` FROM `shop_settings`) AS `current`
    WHERE `order_refund_id` = NEW.`id` AND `is_reversal` = 0;
END;
--> statement-breakpoint
-- The Worker before this one stores no seller: what it has sold on this schema gets the first.
CREATE TRIGGER `sellers_complete_invoices` AFTER INSERT ON `sellers`
BEGIN
  UPDATE `invoices` SET `seller_id` = NEW.`id` WHERE `seller_id` IS NULL;
END;
--> statement-breakpoint
-- Whoever writes: the next number, of a paid order without an invoice. REPLACE deletes rows without a trigger: this refuses it, too.
CREATE TRIGGER `invoices_are_consecutive` BEFORE INSERT ON `invoices`
WHEN NEW.`number` <> 1 + (SELECT coalesce(max(`number`), 0) FROM `invoices` WHERE `series` = NEW.`series`)
  OR NEW.`series` <> (SELECT coalesce(max(`invoice_series`), 1) FROM `shop_settings`)
  OR EXISTS (SELECT 1 FROM `invoices` WHERE `order_id` = NEW.`order_id`)
  OR NOT EXISTS (SELECT 1 FROM `orders` WHERE `id` = NEW.`order_id` AND `transaction_id` IS NOT NULL)
BEGIN
  SELECT RAISE(ABORT, 'invoices are consecutive, one for each paid order');
END;
--> statement-breakpoint
CREATE TRIGGER `invoices_are_never_changed` BEFORE UPDATE ON `invoices`
WHEN OLD.`seller_id` IS NOT NULL OR NEW.`seller_id` IS NULL OR NEW.`order_id` <> OLD.`order_id`
  OR NEW.`series` <> OLD.`series` OR NEW.`number` <> OLD.`number` OR NEW.`issued_at` <> OLD.`issued_at`
  OR NEW.`buyer_name` <> OLD.`buyer_name` OR NEW.`buyer_address` <> OLD.`buyer_address` OR NEW.`company` IS NOT OLD.`company`
  OR NEW.`vat_number` IS NOT OLD.`vat_number` OR NEW.`purchase_order` IS NOT OLD.`purchase_order`
BEGIN
  SELECT RAISE(ABORT, 'an invoice is never changed');
END;
--> statement-breakpoint
CREATE TRIGGER `invoices_are_never_deleted` BEFORE DELETE ON `invoices`
BEGIN
  SELECT RAISE(ABORT, 'an invoice is never deleted');
END;
--> statement-breakpoint
CREATE TRIGGER `credit_notes_are_consecutive` BEFORE INSERT ON `credit_notes`
WHEN NEW.`number` <> 1 + (SELECT coalesce(max(`number`), 0) FROM `credit_notes` WHERE `series` = NEW.`series`)
  OR NEW.`series` <> (SELECT coalesce(max(`invoice_series`), 1) FROM `shop_settings`)
  OR EXISTS (SELECT 1 FROM `credit_notes` WHERE `order_refund_id` = NEW.`order_refund_id` AND `is_reversal` = NEW.`is_reversal`)
  OR NOT EXISTS (
    SELECT 1 FROM `order_refunds` WHERE `id` = NEW.`order_refund_id` AND `order_id` = NEW.`order_id` AND `refund_id` IS NOT NULL
      AND `amount_cents` = abs(NEW.`amount_cents`) AND (NEW.`is_reversal` = 0 OR `failed_at` IS NOT NULL)
  )
BEGIN
  SELECT RAISE(ABORT, 'credit notes are consecutive, one for each refund that is made');
END;
--> statement-breakpoint
CREATE TRIGGER `credit_notes_are_never_changed` BEFORE UPDATE ON `credit_notes`
BEGIN
  SELECT RAISE(ABORT, 'a credit note is never changed');
END;
--> statement-breakpoint
CREATE TRIGGER `credit_notes_are_never_deleted` BEFORE DELETE ON `credit_notes`
BEGIN
  SELECT RAISE(ABORT, 'a credit note is never deleted');
END;
--> statement-breakpoint
CREATE TRIGGER `sellers_are_stored_once` BEFORE INSERT ON `sellers` WHEN EXISTS (SELECT 1 FROM `sellers` WHERE `id` = NEW.`id`)
BEGIN
  SELECT RAISE(ABORT, 'a seller is never changed');
END;
--> statement-breakpoint
CREATE TRIGGER `sellers_are_never_changed` BEFORE UPDATE ON `sellers`
BEGIN
  SELECT RAISE(ABORT, 'a seller is never changed');
END;
--> statement-breakpoint
CREATE TRIGGER `sellers_are_never_deleted` BEFORE DELETE ON `sellers`
BEGIN
  SELECT RAISE(ABORT, 'a seller is never deleted');
END;
